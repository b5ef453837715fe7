// The bill of materials is valid CycloneDX, and has what `npm ci --omit=dev` brings and nothing else.
import { readFileSync } from 'node:fs';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, it } from 'vitest';
import { isInProduction, type Lock, makeSbom, purlOf } from '../../../tools/sbom/make-sbom.ts';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}
interface Sbom {
  metadata: { component: { purl: string } };
  components: { purl: string; hashes?: object[]; licenses?: object[] }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const manifestOf = (path: string): Manifest => JSON.parse(read(path)) as Manifest;

const lock: Lock = JSON.parse(read('package-lock.json'));
const text = makeSbom(lock);
const sbom: Sbom = JSON.parse(text);
const listed = new Set(sbom.components.map(({ purl }) => purl));

/** Versions are pinned: `1.0.0`, or `npm:other-name@1.0.0`. */
const purlsOf = (dependencies: Record<string, string>): string[] =>
  Object.entries(dependencies).map(([name, version]) => {
    const [, real = name, exact = version] = /^npm:(.+)@(.+)$/.exec(version) ?? [];
    return purlOf(real, exact);
  });

describe('npm run sbom', () => {
  it('is valid by the schema of CycloneDX 1.6', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(text)).toBeNull();
    const broken = text.replace('"type": "library"', '"type": "librarian"');
    expect(await validator.validate(broken)).not.toBeNull();
  });

  it.each(['package.json', 'dashboard/package.json'])('has what %s needs in production', (path) => {
    const { dependencies } = manifestOf(path);
    expect([...listed]).toEqual(expect.arrayContaining(purlsOf(dependencies)));
  });

  it('has no tool for development', () => {
    const own = manifestOf('package.json');
    const tools = purlsOf(own.devDependencies);
    expect(tools.length).toBeGreaterThan(20);
    const both = Object.entries(own.devDependencies).filter(([name]) =>
      isInProduction(lock.packages[`node_modules/${name}`] ?? { dev: true }),
    );
    const shared = purlsOf(Object.fromEntries(both));
    // A library needs them too.
    expect(shared.length).toBeLessThan(8);
    expect(tools.filter((purl) => listed.has(purl) && !shared.includes(purl))).toEqual([]);
    for (const name of ['vitest', 'typescript', 'oxlint', 'playwright-core']) {
      expect([...listed].filter((purl) => purl.startsWith(`pkg:npm/${name}@`))).toEqual([]);
    }
  });

  it('has each package of production once, with its hash', () => {
    const installed = Object.entries(lock.packages).filter(
      ([path, entry]) => path !== '' && isInProduction(entry),
    );
    expect(installed.length).toBeGreaterThan(400);
    expect(sbom.components).toHaveLength(listed.size);
    const hashed = installed.filter(([, { integrity }]) => integrity?.startsWith('sha512-'));
    expect(sbom.components.filter(({ hashes = [] }) => hashes.length === 1).length).toBeGreaterThan(
      hashed.length * 0.9,
    );
  });

  it('says what needs what', () => {
    const of = (purl: string) => sbom.dependencies.find(({ ref }) => ref === purl)?.dependsOn ?? [];
    const product = of(sbom.metadata.component.purl);
    expect(product).toEqual(expect.arrayContaining(purlsOf(manifestOf('package.json').dependencies)));
    const versionOf = (name: string): string => lock.packages[`node_modules/${name}`]?.version ?? '';
    const [fastify, router] = ['fastify', 'find-my-way'].map((name) => purlOf(name, versionOf(name)));
    expect(of(fastify ?? '')).toContain(router);
  });

  it('is the same for the same lock', () => {
    expect(makeSbom(lock)).toBe(text);
  });
});
