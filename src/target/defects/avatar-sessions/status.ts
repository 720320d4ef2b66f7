import { change } from '#target/overrides/changes'
import { onData } from '#target/overrides/data'
import { GET } from '../tools/creates.ts'
import { defectsOf } from '../tools/table.ts'

export const statusDefects = defectsOf('avatar-sessions.status', {
  'in-set-on-get: Get shows a status of its own.': onData(
    GET,
    change('status', (status) => (status === 'active' ? 'running' : status)),
  ),
})
