/** What a run can be written as in a single file, and how that is called beside its results. */
export const reportFiles = { html: 'report.html', junit: 'junit.xml', ctrf: 'ctrf.json', github: 'summary.md' } as const

export type FileKind = keyof typeof reportFiles

export const fileKinds = Object.keys(reportFiles) as readonly FileKind[]
