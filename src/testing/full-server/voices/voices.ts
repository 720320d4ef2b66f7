import { randomBytes } from 'node:crypto'
import type { Workspace } from '../accounts/accounts.ts'

export interface Voice {
  readonly voice_id: string
  readonly name: string
  readonly language: string
}

const publicVoices: readonly Voice[] = [
  { language: 'en', name: 'Harbour', voice_id: 'voice_public-1' },
  { language: '', name: 'Brook', voice_id: 'voice_public-2' },
]

/** Voices that everybody sees, and each workspace's own. */
export class Voices {
  private readonly own = new Map<Workspace, Voice[]>()

  add(name: string, language: string, workspace: Workspace): Voice {
    const voice = { language, name, voice_id: `voice_${randomBytes(6).toString('hex')}` }
    this.own.set(workspace, [...(this.own.get(workspace) ?? []), voice])
    return voice
  }

  visible(workspace: Workspace): readonly Voice[] {
    return [...publicVoices, ...(this.own.get(workspace) ?? [])]
  }

  find(id: string, workspace: Workspace): Voice | undefined {
    return this.visible(workspace).find((voice) => voice.voice_id === id)
  }
}
