// URLs to private addresses, in every notation that the URL parser or a resolver understands.

const LOOPBACK_FORMS = [
  '127.0.0.1', '127.1', '127.0.1', '0177.0.0.1', '0177.1', '0x7f.1', '0x7f.0.0.1', '0x7f.0x0.0x0.0x1', '2130706433',
  '0x7f000001', '017700000001', '127.0.0.1.', '127.127.127.127', '127.255.255.254', '①②⑦.⓪.⓪.①', '127。0。0。1',
  '１２７.０.０.１', '127．0．0．1', '%31%32%37.0.0.1', '127%2e0%2e0%2e1', '0x7F.0x1', '00000177.0.0.1', '127.0.0.0x1',
  '0', '0.0.0.0', '0x0', '00', '0.1', '０', '0.0.0.0.', '０x7f.1', '127.0.0.1%2e',
]; // prettier-ignore

const PRIVATE_FORMS = [
  '10.0.0.1', '10.1', '012.0.0.1', '0xa.0.0.1', '167772161', '0x0a000001', '172.16.0.1', '172.31.255.254', '0xac100001',
  '2886729729', '192.168.0.1', '192.168.1', '0xc0a80001', '3232235521', '0300.0250.0.1', '１９２.１６８.０.１',
  '100.64.0.1', '100.127.255.254', '198.18.0.1', '198.19.255.254', '192.0.0.8', '192.0.2.7', '198.51.100.7',
  '203.0.113.7', '192.88.99.1', '224.0.0.251', '239.255.255.250', '255.255.255.255', '240.0.0.1', '0xffffffff',
  '4294967295', '037777777777',
]; // prettier-ignore

const METADATA_FORMS = [
  '169.254.169.254', '169.254.43518', '169.16689662', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376',
  '0xa9.0xfe.0xa9.0xfe', '0251.254.169.254', '①⑥⑨.②⑤④.①⑥⑨.②⑤④', '１６９.２５４.１６９.２５４', '169。254。169。254',
  '169.254.169.254.', '169.254.170.2', '168.63.129.16', '0xa83f8110', '100.100.100.200', '192.0.0.192',
  '[fd00:ec2::254]', '[fd20:ce::254]', '[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[::a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]', '[2002:a9fe:a9fe::]', 'metadata.google.internal', 'METADATA.GOOGLE.INTERNAL.', 'metadata',
  'instance-data',
]; // prettier-ignore

const IPV6_FORMS = [
  '[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:7F00:0001]',
  '[0:0:0:0:0:ffff:7f00:1]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]', '[::ffff:0:7f00:1]',
  '[::ffff:10.0.0.1]', '[::ffff:192.168.0.1]', '[::ffff:0.0.0.0]', '[::ffff:100.64.0.1]', '[64:ff9b::127.0.0.1]',
  '[64:ff9b::10.0.0.1]', '[64:ff9b::8.8.8.8]', '[64:ff9b:1::10.0.0.1]', '[2002:7f00:1::]', '[2002:a00:1::1]',
  '[2001:0:53aa:64c::1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[2a00:1450::5efe:10.0.0.1]',
  '[2a00:1450::200:5efe:7f00:1]', '[fe80::1]', '[febf:ffff::1]', '[fec0::1]', '[fc00::1]', '[fd12:3456::1]',
  '[ff02::1]', '[ff05::1:3]', '[100::1]', '[100:0:0:1::1]', '[2001:db8::1]', '[2001:10::1]', '[2001:20::1]',
  '[3fff::1]', '[5f00::1]', '[2620:4f:8000::1]', '[4000::1]', '[8000::1]', '[1::1]', '[e000::1]',
]; // prettier-ignore

const INSIDE_NAMES = [
  'localhost', 'LOCALHOST', 'localhost.', 'LocalHost.', 'ｌｏｃａｌｈｏｓｔ', 'loc%61lhost', 'foo.localhost', 'a.b.localhost.',
  'localhost.localdomain', 'ip6-localhost', 'postgres', 'temporal', 'kubernetes', 'db', 'printer.local', 'nas.LOCAL',
  'api.internal', 'x.svc.cluster.local', 'router.lan', 'wiki.intranet', 'router.home.arpa', 'ad.corp', 'nas.home',
]; // prettier-ignore

/** Hosts that must be refused without a lookup, each with the kind of attack. */
export const HOSTILE_HOSTS: readonly (readonly [string, string])[] = [
  ...LOOPBACK_FORMS.map((host) => ['loopback', host] as const),
  ...PRIVATE_FORMS.map((host) => ['private', host] as const),
  ...METADATA_FORMS.map((host) => ['metadata', host] as const),
  ...IPV6_FORMS.map((host) => ['IPv6', host] as const),
  ...INSIDE_NAMES.map((host) => ['inside name', host] as const),
];

/** Whole URLs that must be refused without a lookup. */
export const HOSTILE_URLS: readonly string[] = [
  'http:127.0.0.1', 'http:/127.0.0.1', 'http:/\\127.0.0.1', 'http:\\\\127.0.0.1', 'http:///127.0.0.1/',
  '  http://127.0.0.1/  ', 'ht\ntp://127.0.0.1/', 'http://127.0.0\t.1/', 'http://127.0.0.1\\@example.com/',
  'http://127.0.0.1#@example.com/', 'http://127.0.0.1?@example.com/', 'http://user@example.com/',
  'http://user:password@example.com/', 'http://:password@example.com/', 'http://example.com@127.0.0.1/',
  'http://example.com:80@127.0.0.1/', 'http://[::1', 'http://[::1%25lo]/', 'http://[fe80::1%25eth0]/',
  'http://256.256.256.256/', 'http://1.1.1.1.1/', 'http://127.0.0.1%00.example.com/', 'http://1.2.3.4.5',
  'http://0x100000000/', 'http://999999999999/', 'http://a..example.com/', 'http://example.com../', 'http://./',
  'http://', 'https://', 'http:', '', ' ', 'example.com', '//example.com/', '/etc/passwd', 'file:///etc/passwd',
  'ftp://example.com/', 'gopher://example.com:70/_', 'data:text/csv,a', 'javascript:alert(1)', 'blob:https://example.com/1',
  'ws://example.com/', 'jar:http://example.com!/', 'dict://example.com:2628/', 'ldap://example.com/',
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/', 'http://example.com:0/', 'http://example.com:22/', 'http://example.com:25/',
  'http://example.com:110/', 'http://example.com:445/', 'http://example.com:2375/', 'http://example.com:3306/',
  'http://example.com:5432/', 'http://example.com:6379/', 'http://example.com:9200/', 'http://example.com:11211/',
  'http://example.com:27017/', 'https://example.com:6443/', 'http://example.com:7233/', 'http://example.com:65536/',
  'http://example.com:-1/', 'http://8.8.8.8:5432/', 'http://[2606:4700::1111]:6379/', 'http://exa mple.com/',
  'http://ex%00ample.com/', 'http://example.com%2f@127.0.0.1/',
]; // prettier-ignore
