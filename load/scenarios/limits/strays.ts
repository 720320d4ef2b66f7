import { isLeaving, type Listing, statusIn, textsIn } from '../../core/limits/listing.ts'
import { sessionRequest } from './avatar-requests.ts'
import { LAG_MS, type Workspace } from './workspace.ts'

/** So many sessions that are not ours are looked at. */
const FOREIGN = 3

/**
 * Closes sessions that no answer told of and that bear our marks; lists may be behind, so a moment has to have passed, and they
 * may name sessions that have ended (4.1: "to find and close ended sessions"): one that Get Session does not call active may have
 * been the session of its key before another one was.
 * @returns their ids by the idempotency key of their create
 */
export async function closeStrays(workspace: Workspace): Promise<Map<string, string[]>> {
  const listing = await listKnown(workspace)
  return listing === undefined ? new Map() : closeMarked(workspace, listing)
}

/** A session that bears the idempotency key of one of our creates. */
interface Marked {
  readonly mark: string
  readonly id: string
  /** Undefined where Get Session does not tell. */
  readonly status: string | undefined
}

const isActive = ({ status }: Marked): boolean => status === 'active'

async function closeMarked(workspace: Workspace, listing: Listing): Promise<Map<string, string[]>> {
  const marked = await findMarked(workspace, listing)
  for (const one of marked)
    if (!isLeaving(one.status))
      await workspace.ask({ ...sessionRequest('close-avatar-session', one), method: 'POST', body: {} })
  const strays = new Map<string, string[]>()
  for (const { mark, id } of marked.filter(isActive)) strays.set(mark, [...(strays.get(mark) ?? []), id])
  return strays
}

async function findMarked(workspace: Workspace, { others }: Listing): Promise<Marked[]> {
  const found: Marked[] = []
  let foreign = 0
  for (const id of others.toReversed()) {
    const { mark, status } = await lookAt(workspace, id)
    if (mark === undefined) foreign += 1
    else found.push({ mark, id, status })
    if (foreign === FOREIGN) break
  }
  return found
}

/**
 * Closes the same where sessions of ours are still open, by which the form of the list is known, and others come and go: of
 * these some are looked at. What a refused create began to make may be taken back a moment later, and a Get may come from a
 * node that has not heard of that: only what is still there then counts.
 */
export async function straysBeside(workspace: Workspace): Promise<Map<string, string[]>> {
  const look = async (): Promise<Listing | undefined> => {
    const listing = await workspace.list()
    return listing === undefined || listing.ours.size === 0 ? undefined : listing
  }
  const first = await look()
  if (first === undefined || !(await findMarked(workspace, first)).some(isActive)) return new Map()
  await workspace.machine.wait(LAG_MS)
  const second = await look()
  return second === undefined ? new Map() : closeMarked(workspace, second)
}

/** A list whose form is known: where none has shown any of ours, one more session is opened for it. */
async function listKnown(workspace: Workspace): Promise<Listing | undefined> {
  const { machine } = workspace
  await machine.wait(LAG_MS)
  if (!workspace.isListRead && (await workspace.create(workspace.freshKey())) === 'opened') await machine.wait(LAG_MS)
  const listing = await workspace.list()
  await workspace.cleanUp()
  return listing
}

/**
 * Whether List Sessions shows a session of this create, of which no answer came.
 * @param before what it showed before the create
 */
export async function madeUnheard(
  workspace: Workspace,
  idempotencyKey: string,
  before: Listing | undefined,
): Promise<boolean> {
  const others = (await workspace.list())?.others.filter((id) => before?.others.includes(id) !== true) ?? []
  for (const id of others.slice(-FOREIGN)) if ((await lookAt(workspace, id)).mark === idempotencyKey) return true
  return false
}

/** The idempotency key that a session bears, if it is one of ours, and how it fares, if that is told. */
async function lookAt(workspace: Workspace, id: string) {
  const { code, data } = await workspace.ask({ ...sessionRequest('get-avatar-session', { id }), method: 'GET' })
  const own = `${workspace.machine.name}-s`
  const mark = code === '0' ? textsIn(data).find(({ text }) => text.startsWith(own))?.text : undefined
  return { mark, status: statusIn(code, data) }
}
