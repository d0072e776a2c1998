import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { PlainError } from '../core/api/plain-error.ts'
import { faultOf } from '../core/read-unknown.ts'

/**
 * The file of a backup: `tar`, then `gzip`, then `age` with a passphrase where there is one, so that the
 * programs of these names can read it without this one. Its last entry says what the others must be.
 */
export interface ArchiveWriter {
  folder(name: string): Promise<void>
  /** Stores exactly `size` bytes: a shorter input is filled with zeros, a longer one is cut off. */
  file(name: string, size: number, content: AsyncIterable<Buffer>): Promise<void>
}

export interface StoredFile {
  readonly size: number
  readonly sha256: string
}

const age_ending = '.age'
const manifest_name = 'manifest.json'
const zeros = Buffer.alloc(65_536)

export function isEncrypted(path: string): boolean {
  return path.endsWith(age_ending)
}

export function archiveName(instant: Date, passphrase: string | null): string {
  const at = instant.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return `kaikei-${at}.tar.gz${passphrase === null ? '' : age_ending}`
}

/** Cuts or fills content to a size, and hashes it. */
async function* sized(
  content: AsyncIterable<Buffer>,
  size: number,
  onChunk: (chunk: Buffer) => void,
): AsyncGenerator<Buffer> {
  let left = size
  function take(chunk: Buffer): Buffer {
    const taken = chunk.subarray(0, left)
    left -= taken.length
    onChunk(taken)
    return taken
  }
  for await (const chunk of content) {
    if (left === 0) return
    yield take(chunk)
  }
  while (left > 0) yield take(zeros)
}

/**
 * Writes a backup. The file appears under its name when it is complete and on the disk. The result of
 * `write` is stored in the manifest beside the list of files.
 */
export async function writeArchive<T extends object>(
  path: string,
  passphrase: string | null,
  write: (archive: ArchiveWriter) => Promise<T>,
): Promise<T> {
  const tar = pack()
  const files: Record<string, StoredFile> = {}

  async function file(name: string, size: number, content: AsyncIterable<Buffer>): Promise<void> {
    const hash = createHash('sha256')
    const entry = tar.entry({ name, size, mode: 0o600 })
    await pipeline(
      sized(content, size, (chunk) => hash.update(chunk)),
      nodeStream(entry),
    )
    files[name] = { size, sha256: hash.digest('hex') }
  }

  async function writeAll(): Promise<T> {
    const folder = (name: string) =>
      new Promise<void>((resolve, reject) => {
        const header = { name, type: 'directory', mode: 0o700 } as const
        tar.entry(header, (error) => (error ? reject(error) : resolve()))
      })
    const facts = await write({ folder, file })
    const manifest = Buffer.from(JSON.stringify({ format: 1, ...facts, files }, null, 2))
    tar.entry({ name: manifest_name, size: manifest.length, mode: 0o600 }).end(manifest)
    tar.finalize()
    return facts
  }

  const unfinished = `${path}.unfinished`
  const target = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })
  const written = writeAll().catch((error) => {
    tar.destroy(error)
    throw error
  })
  try {
    const zipped = nodeStream(tar).pipe(createGzip({ level: 1 }))
    tar.on('error', (error) => zipped.destroy(error))
    const sealed = passphrase === null ? zipped : await encrypt(zipped, passphrase)
    await Promise.all([written, pipeline(sealed, target)])
    await rename(unfinished, path)
    await syncFolder(dirname(path))
    return await written
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** A new name is on the disk when its folder is; where that cannot be asked for, it is soon. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => null)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

async function encrypt(content: Readable, passphrase: string): Promise<Readable> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  return fromWeb(await encrypter.encrypt(toWeb(content)))
}

async function decrypt(content: Readable, passphrase: string): Promise<Readable> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const opened = await decrypter.decrypt(toWeb(content)).catch(() => {
    throw new PlainError(
      'BACKUP_PASSPHRASE does not decrypt this backup. Use the passphrase it was created with.',
    )
  })
  return fromWeb(opened)
}

/** The streams of archives work like those of Node.js, of which they are no subtype. */
const nodeStream = (stream: object) => stream as Transform

/** The types of streams in browsers and in Node.js differ in name only. */
type WebStream = globalThis.ReadableStream<Uint8Array>
const toWeb = (stream: Readable) => Readable.toWeb(stream) as unknown as WebStream
const fromWeb = (stream: WebStream) => Readable.fromWeb(stream as unknown as ReadableStream)

export interface Manifest {
  readonly format: number
  readonly files: Readonly<Record<string, StoredFile>>
}

/** One entry while an archive is read: a folder has no content. */
export interface ReadEntry {
  readonly name: string
  readonly size: number
  readonly is_folder: boolean
  readonly content: AsyncIterable<Buffer>
}

/**
 * Reads a backup from its beginning to its end, and checks every file against the manifest. The rest of an
 * entry that `use` does not read is read here. Returns the manifest; throws when anything is missing or
 * changed.
 */
export async function readArchive(
  path: string,
  passphrase: string | null,
  use: (entry: ReadEntry) => Promise<void>,
): Promise<Manifest> {
  const tar = extract()
  const raw = createReadStream(path)
  const opened = isEncrypted(path) ? await decrypt(raw, passphrase ?? '') : raw
  const fed = pipeline(opened, createGunzip(), nodeStream(tar))
  const found = new Map<string, StoredFile>()
  let manifest: Manifest | null = null
  const read = async () => {
    for await (const entry of tar) {
      const { name, size = 0, type } = entry.header
      const hash = createHash('sha256')
      const content = hashed(nodeStream(entry), hash)
      if (name === manifest_name) manifest = JSON.parse(await textOf(content))
      else await use({ name, size, is_folder: type === 'directory', content })
      for await (const _ of content);
      if (type === 'file') found.set(name, { size, sha256: hash.digest('hex') })
    }
  }
  await Promise.all([fed, read()]).catch((error) => {
    if (error instanceof PlainError) throw error
    throw new PlainError(`The backup ${path} is damaged: ${faultOf(error).message}`)
  })
  return checked(path, manifest, found)
}

async function* hashed(content: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}

async function textOf(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function checked(
  path: string,
  manifest: Manifest | null,
  found: ReadonlyMap<string, StoredFile>,
): Manifest {
  if (manifest?.format !== 1) {
    throw new PlainError(`The backup ${path} is incomplete, or another program created it.`)
  }
  for (const [name, { size, sha256 }] of Object.entries(manifest.files)) {
    const stored = found.get(name)
    if (stored?.size !== size || stored.sha256 !== sha256) {
      throw new PlainError(
        `The backup ${path} is damaged: ${name} has changed since it was stored.`,
      )
    }
  }
  return manifest
}
