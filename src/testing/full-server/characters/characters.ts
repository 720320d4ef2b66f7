import { randomInt } from 'node:crypto'
import type { Workspace } from '../accounts/accounts.ts'
import type { JsonObject } from '../reader.ts'
import { Refusal } from '../refusal.ts'

export interface Character {
  readonly id: string
  readonly workspace: Workspace
  readonly createdAt: number
  readonly updatedAt: number
  readonly name: string
  /** In the order of creation. */
  readonly number: number
  readonly configuration: JsonObject
}

/** The characters of all workspaces; deleted ones are gone. */
export class Characters {
  private readonly kept = new Map<string, Character>()
  private made = 0

  add(name: string, configuration: JsonObject, workspace: Workspace): Character {
    this.made += 1
    const id = `chr_${this.made}${randomInt(1e9)}`
    const now = Date.now()
    return this.put({ id, name, configuration, workspace, number: this.made, createdAt: now, updatedAt: now })
  }

  replace(id: string, name: string, configuration: JsonObject, workspace: Workspace): Character {
    return this.put({ ...this.need(id, workspace), name, configuration, updatedAt: Date.now() })
  }

  need(id: string, workspace: Workspace): Character {
    const character = this.kept.get(id)
    if (character?.workspace !== workspace) throw new Refusal(20005, 'not found')
    return character
  }

  drop(id: string, workspace: Workspace): void {
    this.kept.delete(this.need(id, workspace).id)
  }

  /** Newest first. */
  of(workspace: Workspace): readonly Character[] {
    const own = [...this.kept.values()].filter((one) => one.workspace === workspace)
    return own.toSorted((a, b) => b.number - a.number)
  }

  private put(character: Character): Character {
    this.kept.set(character.id, character)
    return character
  }
}
