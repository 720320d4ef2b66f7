import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#spec/package-root'

// `npm run sample:report` writes the sample of the page of a run that stands in `reports/`: a run against the embedded target
// with thirty seeded mistakes, of every part and kind.
const defects = [
  'audio-files.code-20006.empty-file~mp3',
  'authentication.control-secret.unique-per-session',
  'avatar-sessions.assets.visual-prompt-text-field-rejected~last-asset',
  'avatar-sessions.avatars.source-image-id-missing-rejected~last-image',
  'avatar-sessions.create.model-unknown-rejected~in-video',
  'avatar-sessions.expiry.expires-at-ends-session~prolonged',
  'avatar-sessions.session.id-nonempty~missing',
  'characters.code-20005.get-of-other-workspace',
  'characters.create.refused-leaves-no-character~30004',
  'characters.list.newest-first-across-pages',
  'characters.replace.unknown-rejected',
  'characters.session.mode-saved',
  'control-channel.admission.empty-token-refused',
  'control-channel.asset-added.content-agrees~url',
  'control-channel.connections.state-shared',
  'control-channel.item-create.image-detail-accepted',
  'control-channel.output-item-done.index-agrees',
  'control-channel.response-done.item-text-agrees',
  'control-channel.scheduling.idle-after-done~cut-twice',
  'control-channel.script-speech.accepted',
  'control-channel.session-update.avatar-and-image-together',
  'control-channel.text-delta.item-of-one-response',
  'errors.envelope.nonzero-code-is-failure~create-10004',
  'limits.disconnected-timeout.3600-accepted',
  'voices.clone.language-de-accepted',
  'world-sessions.blocks.image-accepted~hidden',
  'world-sessions.client-secret.media-expires-at-in-future',
  'world-sessions.create.billing-inactive-rejected',
  'world-sessions.get.other-workspace-rejected~closed',
  'world-sessions.media.expires-at-timestamp',
]

const root = packageRoot()
const words = ['check', ...defects.flatMap((id) => ['--defect', id]), '--seed', '1', '--report', 'html']
const { GREENROOM_TARGET: _, ...env } = process.env
const { status } = spawnSync(process.execPath, [join(root, 'src/bin.js'), ...words], {
  cwd: root,
  env,
  stdio: 'inherit',
})
if (status !== 1) process.exit(status ?? 4)
const page = readFileSync(join(root, 'reports/latest/report.html'), 'utf8')
// The certificate lay in a folder of that run: where that was is of no use to a reader.
writeFileSync(
  join(root, 'reports/sample-report.html'),
  page.replaceAll(/(--cacert |NODE_EXTRA_CA_CERTS=)\S*\/ca\.pem/g, '$1ca.pem'),
)
