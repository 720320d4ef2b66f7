// For a real k6: k6 run -e CONTRACT_TARGET=… load/testing/contract/entry.ts
import { contractScript } from './script.ts'

const script = contractScript()

export const { options, handleSummary } = script

export default (): Promise<void> => script.iterate()
