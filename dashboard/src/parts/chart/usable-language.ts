// Gives uPlot a language that it can use. It reads the browser's language when it loads, and throws where that is no language
// tag: on a system without a locale, Chromium says "en-US@posix".
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' });
}
