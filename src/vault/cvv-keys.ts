import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freshBytes } from '../core/ids.ts'
import type { Clock } from '../core/time/clock.ts'
import { minute_ms, second_ms } from '../core/time/clock.ts'
import { SealBroken } from './seal.ts'

/** How long a security code may exist, whatever happens. */
export const cvv_life_ms = 5 * minute_ms
const slot_ms = 10 * second_ms
const iv_bytes = 12
const tag_bytes = 16
const body_start = 8 + iv_bytes + tag_bytes

/**
 * Seals card security codes under keys that never touch the database: one file per ten seconds, removed
 * when the codes of that interval may no longer exist. Destroying its key destroys a code everywhere,
 * including dead rows, WAL and backups.
 */
export interface CvvKeys {
  seal(binding: string, cvv: string): Buffer
  /**
   * The code, or null when its key was destroyed or is on another machine. Throws when it belongs to another
   * binding.
   */
  open(binding: string, sealed: Buffer): string | null | Promise<string | null>
  /** Whether the time of a code is over: its key was destroyed everywhere. */
  isOver(sealed: Buffer): boolean
  destroyOld(): void
  /** Throws when no key can be written now. */
  checkWritable(): Promise<void>
}

/** The keys of this machine, and those of other machines that it knows. */
export interface OwnCvvKeys extends CvvKeys {
  open(binding: string, sealed: Buffer): string | null
  /** The interval of now; the next one has the next number. */
  slot(): number
  /** The machine's key of an interval, if there is one, or a new one. */
  find(slot: number): Buffer | null
  make(slot: number): Buffer
  /** How long the key of an interval may exist. */
  leftMs(slot: number): number
  /** Another machine's key, kept in memory only. */
  add(slot: number, key: Buffer): void
}

/** The interval in which a code was sealed. */
export function slotOfSealed(sealed: Buffer): number {
  return sealed.length < body_start ? 0 : sealed.readUInt32BE(0)
}

/** The intervals whose codes may exist at the same time. */
export const living_slots = cvv_life_ms / slot_ms

const folder_name = 'cvv-keys'

/** A name with a dot is being created by another process, or was left by one that died. */
function slotOf(name: string): number {
  return Number(/^\.?(\d+)/.exec(name)?.[1] ?? 0)
}

/** The file of a write probe is no key. */
function isKeyFile(name: string): boolean {
  return /^\.?\d/.test(name)
}

/** Key files that should have been destroyed at least five minutes ago. */
export function oldCvvKeys(data_dir: string, now_ms: number): string[] {
  const folder = join(data_dir, folder_name)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(isKeyFile)
    .filter((name) => slotOf(name) * slot_ms + 2 * cvv_life_ms <= now_ms)
    .map((name) => join(folder, name))
}

/** IV, tag and ciphertext. */
function sealWith(key: Buffer, binding: string, cvv: string): readonly Buffer[] {
  const iv = freshBytes(iv_bytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(Buffer.from(`cvv ${binding}`))
  const body = Buffer.concat([cipher.update(cvv), cipher.final()])
  return [iv, cipher.getAuthTag(), body]
}

function openWith(key: Buffer, binding: string, sealed: Buffer): string {
  const opener = createDecipheriv('aes-256-gcm', key, sealed.subarray(8, 8 + iv_bytes))
  opener.setAAD(Buffer.from(`cvv ${binding}`))
  opener.setAuthTag(sealed.subarray(8 + iv_bytes, body_start))
  try {
    return Buffer.concat([opener.update(sealed.subarray(body_start)), opener.final()]).toString()
  } catch {
    throw new SealBroken('A security code was changed.')
  }
}

export function newCvvKeys(data_dir: string, clock: Clock): OwnCvvKeys {
  const folder = join(data_dir, folder_name)
  const known = new Map<number, Buffer>()
  const of_others = new Map<number, Buffer[]>()
  const marks = new WeakMap<Buffer, Buffer>()
  const path = (slot: number) => join(folder, String(slot))
  const leftMs = (slot: number) => slot * slot_ms + cvv_life_ms - clock.now()
  const isOld = (slot: number) => leftMs(slot) <= 0
  const slotNow = () => Math.floor(clock.now() / slot_ms)

  /** Identifies keys without revealing anything else about them. */
  function markOf(key: Buffer): Buffer {
    const mark =
      marks.get(key) ?? createHash('sha256').update('mark').update(key).digest().subarray(0, 4)
    marks.set(key, mark)
    return mark
  }

  function read(slot: number): Buffer | null {
    if (isOld(slot)) return null
    const found = known.get(slot)
    if (found) return found
    if (!existsSync(path(slot))) return null
    const key = readFileSync(path(slot))
    known.set(slot, key)
    return key
  }

  /** Written under a temporary name and linked, so that processes agree on one key. */
  function make(slot: number): Buffer {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const beside = join(folder, `.${slot}.${process.pid}`)
    try {
      writeFileSync(beside, randomBytes(32), { mode: 0o600, flush: true })
      linkSync(beside, path(slot))
    } catch (error) {
      if (!existsSync(path(slot))) throw error
    } finally {
      rmSync(beside, { force: true })
    }
    const key = readFileSync(path(slot))
    known.set(slot, key)
    return key
  }

  /** Each machine has its own keys for the same times: the mark says which one it was. */
  function findMarked(slot: number, mark: Buffer): Buffer | null {
    const own = read(slot)
    if (own && markOf(own).equals(mark)) return own
    if (isOld(slot)) return null
    return of_others.get(slot)?.find((key) => markOf(key).equals(mark)) ?? null
  }

  return {
    slot: slotNow,
    find: read,
    make: (slot) => read(slot) ?? make(slot),
    leftMs,
    add: (slot, key) => {
      if (!isOld(slot) && !findMarked(slot, markOf(key))) {
        of_others.set(slot, [...(of_others.get(slot) ?? []), key])
      }
    },
    isOver: (sealed) => isOld(slotOfSealed(sealed)),
    seal: (binding, cvv) => {
      const slot = slotNow()
      const key = read(slot) ?? make(slot)
      const head = Buffer.alloc(4)
      head.writeUInt32BE(slot)
      return Buffer.concat([head, markOf(key), ...sealWith(key, binding, cvv)])
    },
    open: (binding, sealed) => {
      if (sealed.length < body_start) throw new SealBroken('A security code was cut off.')
      const key = findMarked(slotOfSealed(sealed), sealed.subarray(4, 8))
      if (!key) return null
      return openWith(key, binding, sealed)
    },
    destroyOld: () => {
      for (const keys of [known, of_others]) {
        for (const slot of keys.keys()) if (isOld(slot)) keys.delete(slot)
      }
      if (!existsSync(folder)) return
      for (const name of readdirSync(folder)) {
        if (isOld(slotOf(name))) rmSync(join(folder, name), { force: true })
      }
    },
    checkWritable: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const probe = join(folder, `.probe.${process.pid}`)
      try {
        await writeFile(probe, randomBytes(32), { mode: 0o600, flush: true })
      } finally {
        await rm(probe, { force: true }).catch(() => {})
      }
    },
  }
}
