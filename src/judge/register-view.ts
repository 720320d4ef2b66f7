/** One row of the register, as the judge needs it (`schemas/meta/requirements.json`). */
export interface Row {
  readonly section: string
  readonly level: 'must' | 'should' | 'may'
  readonly text: string
  readonly standing: 'stated' | 'derived' | 'untestable'
  readonly from?: string
  readonly why?: string
  readonly abilities?: readonly string[]
  readonly keys?: readonly string[]
  readonly triggers?: readonly string[]
  readonly media?: readonly string[]
  readonly tier?: 'smoke' | 'standard' | 'full'
  readonly passive?: boolean
  readonly at_least?: number
  /** Newer than the release: judged and reported, but it counts for nothing. */
  readonly unscored?: boolean
}

/** A frozen set of requirements. */
export interface Release {
  readonly version: string
  /** sha256 hex of its rows. */
  readonly digest: string
}

export interface RegisterView {
  readonly rows: ReadonlyMap<string, Row>
  readonly choices: ReadonlyMap<string, { readonly section: string; readonly text: string }>
  /** sha256 hex of all rows, also of those that are not scored yet. */
  readonly digest: string
  readonly release: Release
}
