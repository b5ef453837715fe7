// What is written to people, as plain text.

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

const GREETING = 'Recordwatch';

export const confirmMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Confirm your email address',
  text: `Somebody, probably you, signed up for Recordwatch with this address.

Open this link to finish it. It works once, within 24 hours:

${url}

If it was not you, delete this mail: nothing has been made.

${GREETING}
`,
});

export const knownMail = (to: string, baseUrl: string): Mail => ({
  to,
  subject: 'You have an account already',
  text: `Somebody, probably you, signed up for Recordwatch with this address, which has an account already.

Sign in: ${baseUrl}/dashboard/sign-in
Forgot the password? ${baseUrl}/dashboard/forgot-password

If it was not you, there is nothing to do.

${GREETING}
`,
});

export const resetMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Set a new password',
  text: `Somebody, probably you, asked for a new password for Recordwatch.

Open this link to set one. It works once, within an hour:

${url}

If it was not you, delete this mail: your password stays as it is.

${GREETING}
`,
});
