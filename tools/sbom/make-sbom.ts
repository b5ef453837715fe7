// Makes the bill of materials (SBOM) of what runs in production, as CycloneDX. It is read from package-lock.json, because npm's own
// `npm sbom` leaves out packages that tools for development need as well.
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library';

/** The parts of an entry in package-lock.json that are used here. */
export interface LockedPackage {
  /** When it is installed under another name. */
  name?: string;
  version?: string;
  license?: string;
  /** As for subresources of pages: `sha512-…`. */
  integrity?: string;
  /** A package of this repository. */
  link?: boolean;
  resolved?: string;
  /** Needed by tools for development only. */
  dev?: boolean;
  /** Needed by such tools, and otherwise only where somebody uses a library together with it. */
  devOptional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export interface Lock {
  name: string;
  version: string;
  /** By path: `node_modules/fastify`; the product itself is `''`. */
  packages: Readonly<Record<string, LockedPackage>>;
}

export const isInProduction = ({ dev = false, devOptional = false, link = false }: LockedPackage): boolean =>
  !dev && !devOptional && !link;

const INSTALLED = 'node_modules/';

/** `pkg:npm/%40scope/name@1.0.0`: https://github.com/package-url/purl-spec */
export const purlOf = (name: string, version: string): string =>
  `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`;

const nameOf = (path: string, { name }: LockedPackage): string =>
  name ?? path.slice(path.lastIndexOf(INSTALLED) + (path.includes(INSTALLED) ? INSTALLED.length : 0));

/** @returns CycloneDX 1.6 as JSON: the same text for the same lock */
export function makeSbom(lock: Lock): string {
  const root = lock.packages[''] ?? {};
  const product = new Models.Component(Enums.ComponentType.Application, lock.name, {
    version: lock.version,
    purl: purlOf(lock.name, lock.version),
    bomRef: purlOf(lock.name, lock.version),
  });
  const components = new Map<string, Models.Component>();
  const byPath = new Map<string, Models.Component>([['', product]]);
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '' || !isInProduction(entry)) continue;
    const purl = purlOf(nameOf(path, entry), entry.version ?? '');
    // One version may be installed under several paths.
    const component = components.get(purl) ?? componentOf(nameOf(path, entry), entry, purl);
    components.set(purl, component);
    byPath.set(path, component);
  }
  for (const [path, component] of byPath) {
    for (const needed of neededBy(lock, path, path === '' ? root : (lock.packages[path] ?? {}))) {
      const found = byPath.get(needed);
      if (found !== undefined) component.dependencies.add(found.bomRef);
    }
  }
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: product }) });
  for (const component of components.values()) bom.components.add(component);
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function componentOf(fullName: string, entry: LockedPackage, purl: string): Models.Component {
  const [name = '', group] = fullName.split('/').toReversed();
  const [algorithm, content] = entry.integrity?.split('-') ?? [];
  const hash: [Enums.HashAlgorithm, string][] =
    algorithm === 'sha512' && content !== undefined
      ? [[Enums.HashAlgorithm['SHA-512'], Buffer.from(content, 'base64').toString('hex')]]
      : [];
  return new Models.Component(Enums.ComponentType.Library, name, {
    ...(group === undefined ? {} : { group }),
    version: entry.version,
    purl,
    bomRef: purl,
    hashes: new Models.HashDictionary(hash),
    licenses: new Models.LicenseRepository(entry.license === undefined ? [] : [licenseOf(entry.license)]),
  });
}

function licenseOf(license: string): Models.License {
  if (SPDX.isSupportedSpdxId(license)) return new Models.SpdxLicense(license);
  return / (OR|AND|WITH) /.test(license)
    ? new Models.LicenseExpression(license)
    : new Models.NamedLicense(license);
}

/** The paths of what a package needs, as Node finds them from its folder. */
function neededBy({ packages }: Lock, path: string, entry: LockedPackage): string[] {
  const names = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies };
  return Object.keys(names).flatMap((name) => {
    for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(`/${INSTALLED}`)))) {
      const candidate = `${folder === '' ? '' : `${folder}/`}${INSTALLED}${name}`;
      const found = packages[candidate];
      if (found !== undefined) return found.link === true ? [found.resolved ?? candidate] : [candidate];
      if (folder === '') return [];
    }
  });
}
