import type { Service } from '../service.ts'
import type { Credential, Issue, WorldChannel, WorldSession } from './session.ts'

/** Makes fresh credentials for both channels and counts them among the session's. */
export function issueSecrets(service: Service, session: WorldSession): Issue {
  const issue: Issue = {
    control: credential(service, session, 'control'),
    media: credential(service, session, 'media'),
  }
  session.issues.push(issue)
  return issue
}

function credential(service: Service, session: WorldSession, channel: WorldChannel): Credential {
  const { ids, life } = service.behaviour.world
  const last = session.issues.at(-1)
  const kept = life.renews(channel, session.issues.length) ? undefined : last?.[channel].secret
  return {
    secret: kept ?? ids.secret(service.random, session.account, channel),
    expiresAt: life.secretExpiry(Date.now(), life.secretMs, session.expiresAt),
  }
}
