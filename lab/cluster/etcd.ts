import { join } from 'node:path'
import { deployedFile, newDisk, writeSettings } from './deployed-files.ts'
import type { Host } from './hosts.ts'

/** One of three, each on the machine of a node. */
export interface EtcdMember {
  start(): void
  /** Restarts it when it has ended, as systemd does. */
  supervise(): void
  kill(): void
}

const in_command_line = 'etcd --config-file'

export function newEtcdMember(host: Host, number: number, folder_of_lab: string): EtcdMember {
  const folder = newDisk(join(folder_of_lab, `etcd-${number}`), '1g')
  const text = deployedFile('etcd.yaml', `node-${number}`, host)
  const data_dir = join(folder, 'data')
  const file = writeSettings(folder, 'etcd.yaml', text.replace('/var/lib/etcd', data_dir))
  const environment = { ETCD_UNSUPPORTED_ARCH: process.arch }
  const start = () => {
    host.start('etcd', ['etcd', '--config-file', file], { user: 'postgres', environment })
  }
  return {
    start,
    supervise: () => {
      if (host.pids(in_command_line).length === 0) start()
    },
    kill: () => host.signal('SIGKILL', in_command_line),
  }
}
