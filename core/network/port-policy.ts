// Which ports of public addresses outbound requests may reach: the web's own, and high ones that no known service uses.

const LOW_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** High ports of databases, queues, remote control and other protocols that a request must never be aimed at. */
const REFUSED_PORTS: ReadonlySet<number> = new Set([
  1433, 1434, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3268, 3269, 3306, 3389, 3659,
  4045, 4190, 4369, 5060, 5061, 5432, 5433, 5672, 5900, 5901, 5984, 5985, 5986, 6000, 6379, 6380, 6432, 6443,
  6566, 6660, 6661, 6662, 6663, 6664, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 7000, 7001, 7199, 7233, 8086,
  8200, 8500, 8600, 9042, 9092, 9100, 9160, 9200, 9300, 10_080, 10_250, 10_255, 11_211, 15_672, 26_257,
  26_379, 27_017, 27_018, 27_019, 28_017, 50_070, 61_613, 61_616,
]);

/** Whether a port of a public address may be contacted. */
export function isAllowedPort(port: number): boolean {
  return LOW_PORTS.has(port) || (port >= 1024 && port <= 65_535 && !REFUSED_PORTS.has(port));
}
