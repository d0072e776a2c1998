import type pg from 'pg'

export interface DatabaseHost {
  readonly host: string
  readonly port: number
}

/** How to connect. With several hosts, to the one of them that is the primary at that moment. */
export interface DatabaseConnection extends pg.ClientConfig {
  readonly hosts?: readonly DatabaseHost[]
}

const url_parts = /^(?<before>postgres(?:ql)?:\/\/(?:[^@/]*@)?)(?<hosts>[^/?]*)(?<after>\/.*)$/
const usual_port = 5432

/**
 * Reads an address like those of libpq: hosts are separated by commas, before the name of the database or
 * in the parameter `host`. The driver understands one host only.
 */
export function readDatabaseUrl(url: string): DatabaseConnection {
  const { before = '', hosts = '', after = '' } = url_parts.exec(url)?.groups ?? {}
  const [path = '', query = ''] = after.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.delete('target_session_attrs')
  const given = hosts === '' ? hostsOf(parameters) : hosts.split(',').map(readHost)
  const [first] = given
  if (!first || given.length === 1) return { connectionString: url }
  for (const name of ['host', 'port']) parameters.delete(name)
  const is_socket = first.host.startsWith('/')
  if (is_socket) parameters.set('host', first.host)
  const place = is_socket ? '' : `${first.host}:${first.port}`
  return { connectionString: `${before}${place}${path}?${parameters}`, hosts: given }
}

function readHost(text: string): DatabaseHost {
  const { host = '', port } = /^\[?(?<host>.*?)\]?(?::(?<port>\d+))?$/.exec(text)?.groups ?? {}
  return { host: decodeURIComponent(host), port: Number(port ?? usual_port) }
}

function hostsOf(parameters: URLSearchParams): DatabaseHost[] {
  const ports = (parameters.get('port') ?? '').split(',')
  return (parameters.get('host') ?? '').split(',').map((host, at) => {
    return { host, port: Number(ports[at] || ports[0] || usual_port) }
  })
}
