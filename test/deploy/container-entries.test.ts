import { readFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deploy_folder, readCompose, readDeployed, readManifests } from './compose-file.ts'

// The steps of each image between its start and its process, read from its Dockerfile and entry script. A
// container engine is not needed to see that a setting stops one of them.
interface Entry {
  /** The user in the image's last USER line. */
  readonly starts_as: string
  /** Started as root, the entry script changes its user, which needs capabilities. */
  readonly changes_user: boolean
  /** Folders that the entry script or the process must be able to write to. */
  readonly writes: readonly string[]
}

const own_user = /^USER (\d+):\d+$/m.exec(readDeployed('Containerfile'))?.[1] ?? ''

const entries: Record<string, Entry> = {
  kaikei: { starts_as: own_user, changes_user: false, writes: ['/data'] },
  // docker-entrypoint.sh puts -W -db before the arguments, and runs haproxy.
  haproxy: { starts_as: 'haproxy', changes_user: false, writes: [] },
  // docker-entrypoint.sh gives the folder to postgres, runs initdb, and becomes postgres.
  postgres: { starts_as: 'root', changes_user: true, writes: ['/var/lib/postgresql'] },
  // docker-entrypoint.sh gives /data to valkey and becomes valkey; as another user it ends when it cannot
  // write to /data.
  'valkey/valkey': { starts_as: 'root', changes_user: true, writes: ['/data'] },
}

const { services, networks } = readCompose()

test.each(Object.entries(services))('%s reaches its process', (_, service) => {
  const entry = entries[service.image.split(':')[0] ?? '']
  if (!entry) throw new Error(`Nothing is known of the entry of ${service.image}.`)
  const starts_as = service.user?.split(':')[0] ?? entry.starts_as
  if (entry.changes_user && ['root', '0'].includes(starts_as) && service.cap_drop) {
    expect(service.cap_add).toEqual(expect.arrayContaining(['CHOWN', 'SETGID', 'SETUID']))
  }
  const writable = [
    ...(service.tmpfs ?? []).map((one) => one.split(':')[0]),
    ...(service.volumes ?? [])
      .filter((one) => !one.endsWith(':ro'))
      .map((one) => one.split(':')[1]),
  ]
  if (service.read_only) expect(writable).toEqual(expect.arrayContaining([...entry.writes]))
  // A folder in memory belongs to the user that writes to it.
  for (const one of service.tmpfs ?? []) expect(one).toMatch(new RegExp(`\\buid=${starts_as}\\b`))
})

test('no container is given the fixed address of another one', () => {
  const fixed = Object.values(services).flatMap((service) =>
    Array.isArray(service.networks)
      ? []
      : Object.entries(service.networks ?? {}).map(([name, { ipv4_address }]) => [
          name,
          ipv4_address,
        ]),
  )
  expect(fixed).toEqual([['front', '172.30.55.2']])
  for (const [name = '', address = ''] of fixed) {
    const [{ subnet, ip_range } = { subnet: '' }] = networks[name]?.ipam?.config ?? []
    expect(isIn(subnet, address)).toBe(true)
    // Without a range of their own, the nodes, which start first, get the first free address.
    expect(isIn(ip_range ?? subnet, address)).toBe(false)
  }
})

function isIn(network: string, address: string): boolean {
  const [base = '', bits] = network.split('/')
  const list = new BlockList()
  list.addSubnet(base, Number(bits))
  return list.check(address)
}

const manifests = [...readManifests('kaikei.yaml'), ...readManifests('migrate.yaml')]
const specOf = (kind: string) => manifests.find((one) => one.kind === kind)?.spec

type Labels = Record<string, string>
interface Selector {
  readonly matchLabels?: Labels
  readonly matchExpressions?: readonly { key: string; operator: 'In'; values: string[] }[]
}

function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  )
}

test('the pod that migrates is under the network policy, and no node', () => {
  const [node, job] = ['Deployment', 'Job'].map(
    (kind) => specOf(kind).template.metadata.labels as Labels,
  )
  const selectors: Record<string, Selector> = {
    deployment: specOf('Deployment').selector,
    disruption_budget: specOf('PodDisruptionBudget').selector,
    service: { matchLabels: specOf('Service').selector },
    network_policy: specOf('NetworkPolicy').podSelector,
  }
  const selected = (labels: Labels = {}) =>
    Object.keys(selectors).filter((name) => selects(selectors[name] ?? {}, labels))
  expect(selected(node)).toEqual(Object.keys(selectors))
  expect(selected(job)).toEqual(['network_policy'])
})

test('pods have the user of the image, a read-only root and a folder to write to', () => {
  for (const kind of ['Deployment', 'Job']) {
    const { securityContext, containers } = specOf(kind).template.spec
    expect(String(securityContext.runAsUser)).toBe(own_user)
    for (const { securityContext: own, volumeMounts } of containers) {
      expect(own).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })
      expect(volumeMounts).toContainEqual({ name: 'data', mountPath: '/data' })
    }
  }
})

const manual = ['operating', 'database', 'monitoring']
  .map((name) => readFileSync(join(deploy_folder, `../docs/${name}.md`), 'utf8'))
  .join('\n')

test('a slow check of readiness is no failed one, in every file as in the manual', () => {
  expect(manual).toContain('A readiness check may take five seconds')
  const [{ readinessProbe, livenessProbe }] = specOf('Deployment').template.spec.containers
  expect(readinessProbe).toMatchObject({ httpGet: { path: '/readyz' }, timeoutSeconds: 5 })
  // A node that is busy, or not ready, is not restarted.
  expect(livenessProbe).toMatchObject({ httpGet: { path: '/livez' }, timeoutSeconds: 5 })
  for (const name of ['node-1', 'node-2']) {
    expect(services[name]?.healthcheck?.timeout).toBe('5s')
  }
  for (const text of [readDeployed('haproxy/haproxy.cfg'), manual]) {
    expect(text.match(/timeout check \S+/g)).toEqual(['timeout check 5s'])
  }
  expect(readDeployed('Containerfile')).toContain('--timeout=5s')
})

test('a node that stops serves for longer than its proxy takes to notice', () => {
  const [{ readinessProbe }] = specOf('Deployment').template.spec.containers
  const { SHUTDOWN_DELAY_MS } = manifests.find((one) => one.kind === 'ConfigMap')?.data ?? {}
  const notices_ms = readinessProbe.periodSeconds * readinessProbe.failureThreshold * 1000
  // The endpoints of a service reach the proxies a second or two later.
  expect(Number(SHUTDOWN_DELAY_MS)).toBeGreaterThanOrEqual(notices_ms + 2000)
  expect(Number(services['node-1']?.environment?.SHUTDOWN_DELAY_MS)).toBeGreaterThan(1600)
  expect(manual).toContain('3000 with HAProxy, 4000 on Kubernetes')
})
