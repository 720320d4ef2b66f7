import type { JsonObject } from '../reader.ts'

export interface Item {
  readonly id: string
  readonly body: JsonObject
}

/** The default conversation: items in their order. */
export class Items {
  private readonly order: Item[] = []
  private made = 70

  /** Ids of items are numbers in decimal, too. */
  newId(): string {
    do this.made += 1
    while (this.find(String(this.made)) !== undefined)
    return String(this.made)
  }

  find(id: string): Item | undefined {
    return this.order.find((item) => item.id === id)
  }

  all(): readonly Item[] {
    return [...this.order]
  }

  /**
   * @param after the item before it; `root` for the start, nothing for the end
   * @returns the id of the item before it, null at the start
   */
  put(item: Item, after: string | undefined): string | null {
    const at = after === undefined ? this.order.length : this.order.findIndex((one) => one.id === after) + 1
    this.order.splice(at, 0, item)
    return this.order[at - 1]?.id ?? null
  }

  drop(id: string): boolean {
    const at = this.order.findIndex((item) => item.id === id)
    if (at >= 0) this.order.splice(at, 1)
    return at >= 0
  }
}
