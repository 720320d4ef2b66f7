/** The words of the interface that become keys of counts. */
export interface Words {
  readonly serverEvents: readonly string[]
  readonly errorCodes: readonly string[]
}
