import { randomUUID } from 'node:crypto'
import type { Workspace } from '../accounts/accounts.ts'

export interface AudioFile {
  readonly id: string
  readonly workspace: Workspace
  readonly createdAt: number
  readonly mimeType: string
  readonly bytes: Buffer
}

export class AudioFiles {
  private readonly kept = new Map<string, AudioFile>()

  add(mimeType: string, bytes: Buffer, workspace: Workspace): AudioFile {
    const file = { id: `file_aud_${randomUUID()}`, workspace, mimeType, bytes, createdAt: Date.now() }
    this.kept.set(file.id, file)
    return file
  }

  find(id: string, workspace: Workspace): AudioFile | undefined {
    const file = this.kept.get(id)
    return file?.workspace === workspace ? file : undefined
  }
}
