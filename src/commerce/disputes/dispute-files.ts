import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { described, extended, named } from '../../core/api/described-schemas.ts'
import { type FieldError, fail, failIfAny } from '../../core/api/errors.ts'
import { Label } from '../../core/api/schemas.ts'
import { sensitive } from '../../core/cards/sensitive.ts'
import { dispute_limits, file_types } from '../../core/payments/disputes.ts'
import { namesOf } from '../../core/table-names.ts'
import type { DisputeResponse } from '../../providers/provider-operations.ts'
import { atTimeOf, inTransaction, newRow, type Service } from '../../service.ts'
import { type SealContext, seal, unseal } from '../../vault/seal.ts'
import { changeDispute, requireOpen } from './change-dispute.ts'
import { type Dispute, DisputeFileView, type DisputePath, getDispute } from './dispute.ts'

const { file_bytes, file_count, file_name_length } = dispute_limits

export const CreateDisputeFile = named(
  'CreateDisputeFile',
  Type.Object({
    name: described(Label(file_name_length), 'The name of the file, at most 100 characters.'),
    content_type: described(
      Type.Enum(namesOf(file_types)),
      'The type of the file; the first bytes of the content must match it.',
    ),
    content: described(
      Type.String({ minLength: 1 }),
      'The content as Base64, at most 5 MB before that.',
    ),
  }),
  'A new file of the evidence.',
)
type CreateDisputeFile = Static<typeof CreateDisputeFile>

export const DisputeFileContent = extended(
  'DisputeFileContent',
  DisputeFileView,
  { content: described(Type.String(), 'The content as Base64.') },
  'A file of the evidence with its content.',
)

export interface FilePath extends DisputePath {
  readonly file_id: string
}

/** The content, if it matches its declared type: an evidence file must not be a page or a program. */
function readContent({ content, content_type }: CreateDisputeFile): Buffer {
  const faults: FieldError[] = []
  const bytes = Buffer.from(content, 'base64')
  const beginning = file_types[content_type]
  const is_text = content_type === 'text/plain'
  if (bytes.toString('base64') !== content) {
    faults.push({ field: 'content', reason: 'INVALID_FORMAT', rule: 'must be Base64' })
  } else if (bytes.length > file_bytes) {
    const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KB`
    const rule = `must have at most ${kilobytes(file_bytes)}; received ${kilobytes(bytes.length)}`
    faults.push({ field: 'content', reason: 'INVALID_FORMAT_LENGTH', rule })
  } else if (beginning !== null && !bytes.toString('hex').startsWith(beginning)) {
    const rule = `must begin like a file of the type ${content_type}`
    faults.push({ field: 'content', reason: 'INVALID_FORMAT', rule })
  } else if (is_text && (bytes.includes(0) || bytes.toString().includes('\ufffd'))) {
    faults.push({ field: 'content', reason: 'INVALID_FORMAT', rule: 'must be text in UTF-8' })
  }
  failIfAny(faults)
  return bytes
}

function contextOf(merchant_id: string, row_id: string): SealContext {
  return { table: 'dispute_files', column: 'content', merchant_id, row_id }
}

export async function createFile(
  service: Service,
  caller: Caller,
  path: DisputePath,
  body: CreateDisputeFile,
): Promise<Dispute> {
  const content = readContent(body)
  return inTransaction(service, async (base) => {
    const dispute = await getDispute(base, caller, path, true)
    const tx = atTimeOf(base, dispute)
    requireOpen(tx, dispute)
    if (dispute.files.length >= file_count) {
      const message = `A dispute has at most ${file_count} files; delete one first.`
      fail('RESOURCE_LIMIT_REACHED', { message })
    }
    const { merchant_id, id: dispute_id } = dispute
    const { id, created_on } = newRow(tx)
    const sealed = seal(tx.keys.vault, contextOf(merchant_id, id), content)
    await tx.db
      .insertInto('dispute_files')
      .values({ merchant_id, id, dispute_id, content: sealed })
      .execute()
    const { name, content_type } = body
    const shown = { id, name, content_type, size: content.length }
    const files = [...dispute.files, { ...shown, created_on: created_on.toISOString() }]
    return changeDispute(tx, dispute, { files: JSON.stringify(files) })
  })
}

export async function getFile(service: Service, caller: Caller, path: FilePath) {
  const dispute = await getDispute(service, caller, path)
  const file = dispute.files.find(({ id }) => id === path.file_id.toLowerCase())
  if (!file) fail('NOT_FOUND')
  const content = await readFile(service, dispute.merchant_id, file.id)
  return { ...file, content: content.toString('base64') }
}

/** A file can be deleted until it is sent to the bank. */
export async function deleteFile(service: Service, caller: Caller, path: FilePath): Promise<void> {
  const file_id = path.file_id.toLowerCase()
  await inTransaction(service, async (base) => {
    const dispute = await getDispute(base, caller, path, true)
    const tx = atTimeOf(base, dispute)
    if (!dispute.files.some(({ id }) => id === file_id)) fail('NOT_FOUND')
    requireOpen(tx, dispute)
    await tx.db
      .deleteFrom('dispute_files')
      .where('merchant_id', '=', dispute.merchant_id)
      .where('id', '=', file_id)
      .execute()
    const files = dispute.files.filter(({ id }) => id !== file_id)
    await changeDispute(tx, dispute, { files: JSON.stringify(files) })
  })
}

async function readFile({ db, keys }: Service, merchant_id: string, id: string): Promise<Buffer> {
  const { content } = await db
    .selectFrom('dispute_files')
    .select('content')
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return unseal(keys.vault, contextOf(merchant_id, id), content)
}

/** The files with their contents, for the provider. */
export async function openFiles(
  service: Service,
  { merchant_id, files }: Dispute,
): Promise<DisputeResponse['files']> {
  const opened: DisputeResponse['files'][number][] = []
  for (const { id, name, content_type } of files) {
    const content = sensitive(await readFile(service, merchant_id, id))
    opened.push({ name, content_type, content })
  }
  return opened
}
