import { existsSync, readFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { namesOf } from '../../core/table-names.ts'
import {
  acceptedEncodings,
  type Encoding,
  min_compressed_bytes,
} from '../../core/text/http/content-encoding.ts'

/**
 * A file or page that is the same for every visitor, with its compressed forms. Nothing in it is
 * secret, so its compressed length reveals nothing.
 */
export interface PackedFile {
  readonly plain: Buffer
  readonly packed: ReadonlyMap<Encoding, Buffer>
}

const endings = { br: '.br', gzip: '.gz' } as const
const encodings = namesOf(endings)

/** Whether a file is a compressed form of another one. */
export function isPacked(name: string): boolean {
  return name.endsWith(endings.br) || name.endsWith(endings.gzip)
}

/** A file with the compressed forms that the build has written beside it, or new ones without a build. */
export function readPacked(path: string): PackedFile {
  const found = encodings.filter((encoding) => existsSync(path + endings[encoding]))
  if (found.length === 0 && /\.(css|js|svg)$/.test(path)) return packText(readFileSync(path))
  const packed = found.map((name) => [name, readFileSync(path + endings[name])] as const)
  return { plain: readFileSync(path), packed: new Map(packed) }
}

/** At a process's first use of a text: a better compression would hold up other requests. */
const quick_brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** A text that is made when the service runs, compressed once. */
export function packText(text: string | Buffer): PackedFile {
  const plain = Buffer.from(text)
  if (plain.length < min_compressed_bytes) return { plain, packed: new Map() }
  const packed = new Map<Encoding, Buffer>([
    ['br', brotliCompressSync(plain, quick_brotli)],
    ['gzip', gzipSync(plain)],
  ])
  return { plain, packed }
}

/** A page of one visitor, whose address no other page knows. */
export function sendPackedOnce(request: FastifyRequest, reply: FastifyReply, text: string) {
  const plain = Buffer.from(text)
  const [wanted] = acceptedEncodings(request.headers['accept-encoding'])
  const packed = new Map<Encoding, Buffer>()
  if (wanted === 'br') packed.set(wanted, brotliCompressSync(plain, quick_brotli))
  if (wanted === 'gzip') packed.set(wanted, gzipSync(plain))
  return sendPacked(request, reply, { plain, packed })
}

/** Sends the form that the client accepts. Caches keep one for each. */
export function sendPacked(
  request: FastifyRequest,
  reply: FastifyReply,
  { plain, packed }: PackedFile,
): FastifyReply {
  const vary = String(reply.getHeader('vary') ?? '')
  if (packed.size > 0) reply.header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding')
  const wanted = acceptedEncodings(request.headers['accept-encoding'])
  const encoding = wanted.find((name) => packed.has(name))
  if (!encoding) return reply.send(plain)
  return reply.header('content-encoding', encoding).send(packed.get(encoding))
}
