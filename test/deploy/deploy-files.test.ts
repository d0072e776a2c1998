import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { findPromtool, promtool_advice } from '../../scripts/programs/promtool.mjs'
import { findProxy, proxies_advice } from '../../scripts/programs/proxies.mjs'
import { readConfig, settings } from '../../src/config.ts'
import { readKeys } from '../../src/vault/key-ring.ts'
import { program, temporaryFolder } from '../support/fleet/running-process.ts'
import { deploy_folder, makeSecrets, readCompose, readDeployed } from './compose-file.ts'

// Everything in deploy/ that can be checked without a container engine.
const secrets = makeSecrets()
const folder = temporaryFolder()
afterAll(() => {
  secrets.remove()
  rmSync(folder, { recursive: true, force: true })
})

const { version } = JSON.parse(readFileSync(join(deploy_folder, '../package.json'), 'utf8'))
const all_files = readdirSync(deploy_folder, { recursive: true, encoding: 'utf8' })
const yaml_files = all_files.filter((name) => name.endsWith('.yaml'))

type Value = string | number | boolean | null | Value[] | { [key: string]: Value }

function documentsOf(name: string): Value[] {
  return parseAllDocuments(readDeployed(name), { merge: true }).map((document) => {
    expect(document.errors, name).toEqual([])
    return document.toJS() as Value
  })
}

/** Every value in a document that has this name. */
function valuesOf(wanted: string, value: Value): Value[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === wanted ? [inner] : []),
    ...valuesOf(wanted, inner),
  ])
}

test('all YAML files parse', () => {
  expect(yaml_files.length).toBeGreaterThan(4)
  for (const name of yaml_files) expect(documentsOf(name)).not.toHaveLength(0)
})

test('images have exact versions, and ours that of this release', () => {
  const images = yaml_files.flatMap((name) =>
    documentsOf(name).flatMap((document) => valuesOf('image', document)),
  )
  const built = [...readDeployed('Containerfile').matchAll(/^FROM (\S+)/gm)].map(([, one]) => one)
  expect(images).toContain('postgres:18.4-bookworm')
  for (const image of [...images, ...built.filter((one) => one !== 'scratch')]) {
    expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(-[a-z]+)*$/)
    if (String(image).startsWith('kaikei:')) expect(image).toBe(`kaikei:${version}`)
  }
  expect(readDeployed('kubernetes/migrate.yaml')).toContain(`name: kaikei-migrate-${version}\n`)
})

/** The settings that each file gives the service. */
function environments(): Record<string, Record<string, string>> {
  const { services } = readCompose()
  const [config_map] = documentsOf('kubernetes/kaikei.yaml').flatMap((one) => valuesOf('data', one))
  const [job] = documentsOf('kubernetes/migrate.yaml').flatMap((one) => valuesOf('env', one))
  const lines = (text: string) => [...text.matchAll(/\b([A-Z][A-Z_]+)=(\S*)/g)]
  const unit = readDeployed('systemd/kaikei.service')
  const of_unit = unit.split('\n').filter((line) => line.startsWith('Environment='))
  const [image = ''] = /^ENV .*$/m.exec(readDeployed('Containerfile')) ?? []
  const pairs = (found: RegExpExecArray[]) =>
    Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]))
  return {
    node: services['node-1']?.environment ?? {},
    migrate: services.migrate?.environment ?? {},
    kubernetes: config_map as Record<string, string>,
    job: Object.fromEntries(
      (job as { name: string; value: string }[]).map((one) => [one.name, one.value]),
    ),
    unit: pairs([...lines(of_unit.join('\n')), ...lines(readDeployed('systemd/kaikei.env'))]),
    image: pairs(lines(image)),
  }
}

const secret_names = Object.entries(settings).flatMap(([name, one]) =>
  'secret' in one ? name : [],
)

test.each(Object.entries(environments()))('the settings of %s are real ones', (_, given) => {
  expect(Object.keys(given).length).toBeGreaterThan(0)
  const known = [
    ...Object.keys(settings),
    ...secret_names.map((name) => `${name}_FILE`),
    'NODE_ENV',
  ]
  expect(Object.keys(given).filter((name) => !known.includes(name))).toEqual([])
  // No secret is a plain value, and the others can be read.
  expect(Object.keys(given).filter((name) => secret_names.includes(name))).toEqual([])
  const others = Object.entries(given).filter(([name]) => !name.endsWith('_FILE'))
  expect(() =>
    readConfig(Object.fromEntries(others.map(([name, value]) => [name, withDefaults(value)]))),
  ).not.toThrow()
})

function withDefaults(value: string): string {
  return String(value).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
}

test('the secrets that are made are those that are used, and they work', () => {
  const { services, secrets: named } = readCompose()
  const used = Object.values(services).flatMap((one) => one.secrets ?? [])
  expect(new Set(used)).toEqual(new Set(Object.keys(named)))
  expect(readdirSync(secrets.folder).sort()).toEqual(Object.keys(named).sort())
  const { environment = {} } = services['node-1'] ?? {}
  const given = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'))
  const config = readConfig(
    Object.fromEntries(
      given.map(([name, path]) => [name, path.replace('/run/secrets', secrets.folder)]),
    ),
  )
  expect(config.database_url).toContain(secrets.read('database_password'))
  expect(Object.values(readKeys(config)).map((ring) => ring.all().length)).toEqual([1, 1, 1])
})

test('the folder of the secrets is closed to others, also when it was open', () => {
  const open_folder = join(folder, 'secrets')
  mkdirSync(open_folder)
  chmodSync(open_folder, 0o755)
  const created = spawnSync(join(deploy_folder, 'make-secrets.sh'), [open_folder], {
    encoding: 'utf8',
  })
  expect(created.status, created.stderr).toBe(0)
  expect(statSync(open_folder).mode & 0o777).toBe(0o700)
})

test('a stop has more time than it takes', () => {
  const { services } = readCompose()
  expect(services['node-1']?.stop_grace_period).toBe('20s')
  expect(readDeployed('systemd/kaikei.service')).toContain('TimeoutStopSec=20\n')
  expect(readDeployed('kubernetes/kaikei.yaml')).toContain('terminationGracePeriodSeconds: 30\n')
})

test.each(['haproxy/haproxy.cfg', 'patroni/haproxy-postgres.cfg'])('HAProxy accepts %s', (name) => {
  const haproxy = findProxy('haproxy')
  if (haproxy === null) throw new Error(proxies_advice)
  const path = join(folder, 'haproxy.cfg')
  writeFileSync(path, readDeployed(name).replaceAll('/run/secrets', secrets.folder))
  const { status, stderr } = spawnSync(haproxy, ['-c', '-f', path], { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
})

interface Alert {
  readonly alert: string
  readonly annotations: Record<'summary' | 'description' | 'runbook', string>
}

test('alerts are tested, say what to do, and name a section of the manual', () => {
  const promtool = findPromtool()
  if (promtool === null) throw new Error(promtool_advice)
  const cwd = join(deploy_folder, 'prometheus')
  for (const args of [
    ['check', 'config', 'prometheus.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
  ]) {
    const { status, stdout, stderr } = spawnSync(promtool, args, { cwd, encoding: 'utf8' })
    expect(status, stdout + stderr).toBe(0)
  }
  const [alerts] = valuesOf('rules', documentsOf('prometheus/alerts.yaml')) as unknown as [Alert[]]
  const tests = readDeployed('prometheus/alerts.test.yaml')
  const sectionsOf = (name: string) => {
    const manual = readFileSync(join(deploy_folder, '..', name), 'utf8')
    const titles = [...manual.matchAll(/^##+ (.+)$/gm)].map(([, title = '']) => title)
    return titles.map((title) => title.toLowerCase().replaceAll(' ', '-'))
  }
  for (const { alert, annotations } of alerts) {
    expect(tests).toContain(`alertname="${alert}"`)
    expect(annotations.description.length, alert).toBeGreaterThan(20)
    const [manual = '', section] = annotations.runbook.split('#')
    expect(sectionsOf(manual), alert).toContain(section)
  }
})

/** systemd is on most Linux machines, and nowhere else. */
const has_systemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.runIf(has_systemd)('systemd accepts the unit, and finds little to attack', () => {
  const path = join(folder, 'kaikei.service')
  const text = readDeployed('systemd/kaikei.service')
    .replaceAll('/usr/bin/node', process.execPath)
    .replaceAll('/opt/kaikei/dist/cli.js', program)
  writeFileSync(path, text)
  const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
  expect(verified.stderr).toBe('')
  expect(verified.status).toBe(0)
  const args = ['security', '--offline=true', '--threshold=20', path]
  const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  expect(status, stdout).toBe(0)
})

const is_root = process.platform === 'linux' && process.getuid?.() === 0

test.runIf(is_root)(
  'the root file system of the image is complete, for a user without rights',
  () => {
    const image = join(folder, 'image')
    const assembled = spawnSync('sh', [join(deploy_folder, 'assemble-root.sh'), image])
    expect(assembled.status, String(assembled.stderr)).toBe(0)
    const run = (...args: string[]) => {
      const inside = ['--userspec=65532:65532', image, '/usr/bin/node', ...args]
      return spawnSync('chroot', inside, { encoding: 'utf8', env: { PATH: process.env.PATH } })
    }
    expect(run('/app/dist/cli.js', '--version').stdout).toBe(`kaikei ${version}\n`)
    // The one native package.
    const hash = `require('/app/node_modules/@node-rs/argon2').hashSync('a')`
    expect(run('-p', hash).stdout).toMatch(/^\$argon2id\$/)
    // The additional files for traces.
    const load = `import('/app/node_modules/@opentelemetry/exporter-trace-otlp-http/build/src/index.js')
    .then((all) => console.log(typeof all.OTLPTraceExporter))`
    expect(run('-e', load).stdout).toBe('function\n')
    expect(readdirSync(image).sort()).toEqual(expect.arrayContaining(['app', 'data', 'etc', 'usr']))
    expect(readdirSync(join(image, 'usr/bin'))).toEqual(['node'])
  },
)

test('Patroni acknowledges nothing that one disk alone has', () => {
  const [patroni] = documentsOf('patroni/patroni.yaml')
  expect(patroni).toMatchObject({
    bootstrap: {
      dcs: { synchronous_mode: 'quorum', synchronous_mode_strict: true, failsafe_mode: true },
    },
    watchdog: { mode: 'required' },
  })
  const [{ ttl, loop_wait, retry_timeout }] = valuesOf('dcs', patroni ?? {}) as [
    Record<string, number>,
  ]
  expect(ttl).toBeGreaterThanOrEqual((loop_wait ?? 0) + 2 * (retry_timeout ?? 0))
})
