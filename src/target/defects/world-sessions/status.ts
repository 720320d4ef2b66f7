import { change, put } from '#target/overrides/changes'
import { remembering, set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'
import { looks, onGot, onMade } from '../tools/world-sessions.ts'

export const statusDefects = defectsOf('world-sessions.status', {
  'in-set-on-create: A new session is ready.': onMade(put('status', 'ready')),
  'in-set-on-create~closing: A new session is shown as held.': onMade(change('status', () => 'held')),
  'in-set-on-get: A closed session has ended.': onGot(
    change('status', (status) => (status === 'closed' ? 'ended' : status)),
  ),
  'provisioning-becomes-active: A session is provisioned for ever.': [
    set('world.life.initial', () => 'provisioning'),
    set('world.life.provisioningMs', 2 ** 31),
  ],
  'never-provisioning-again: A session that was active shows provisioning from the second look on.': remembering(() => {
    const look = looks()
    return onGot((data) => (data['status'] === 'active' && look(data) > 1 ? put('status', 'provisioning')(data) : data))
  }),
})
