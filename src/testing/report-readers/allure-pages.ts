import { AllureReport, resolveConfig } from '@allurereport/core'
import Allure2 from '@allurereport/plugin-allure2'

/**
 * Makes pages of an Allure folder by Allure's own generator, those of its second generation.
 *
 * @param results folder `allure-results`
 * @param output folder for the pages, not there yet
 */
export async function makeAllurePages(results: string, output: string): Promise<void> {
  const config = await resolveConfig({ name: 'Greenroom', output }, { cwd: results })
  const plugin = { id: 'allure2', enabled: true, options: {}, plugin: new Allure2({}) }
  const report = new AllureReport({ ...config, plugins: [plugin] })
  await report.start()
  await report.readDirectory(results)
  await report.done()
}
