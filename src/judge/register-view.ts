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
}

export interface RegisterView {
  readonly rows: ReadonlyMap<string, Row>
  readonly choices: ReadonlyMap<string, { readonly section: string; readonly text: string }>
  /** sha256 hex. */
  readonly digest: string
}
