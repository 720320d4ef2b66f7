// Loads the page of `watch` again every few seconds, until told to stop; what was open, focused and in view stays so.
;(() => {
  const every = 5_000
  const button = document.getElementById('refresh')
  const kept = 'greenroom-watch'

  /** @returns {{ stopped?: boolean, folds?: { [id: string]: boolean }, focus?: string, top?: number }} */
  const read = () => {
    try {
      return JSON.parse(sessionStorage.getItem(kept) ?? '{}')
    } catch {
      return {}
    }
  }

  const before = read()
  let stopped = before.stopped === true

  const write = () => {
    /** @type {{ [id: string]: boolean }} */
    const folds = {}
    for (const one of document.querySelectorAll('details[id]')) {
      if (one instanceof HTMLDetailsElement) folds[one.id] = one.open
    }
    const focus = document.activeElement?.closest('[id]')?.id ?? ''
    sessionStorage.setItem(kept, JSON.stringify({ stopped, folds, focus, top: scrollY }))
  }

  const tell = () => {
    if (button === null) return
    button.textContent = stopped ? 'Refresh every 5 seconds' : 'Stop refreshing'
    button.hidden = false
  }

  for (const [id, open] of Object.entries(before.folds ?? {})) {
    const fold = document.getElementById(id)
    if (fold instanceof HTMLDetailsElement) fold.open = open
  }
  const focused = before.focus ? document.getElementById(before.focus) : null
  const inside = focused instanceof HTMLDetailsElement ? focused.querySelector('summary') : focused
  if (inside instanceof HTMLElement) inside.focus({ preventScroll: true })
  if (typeof before.top === 'number') scrollTo({ top: before.top, behavior: 'instant' })

  button?.addEventListener('click', () => {
    stopped = !stopped
    tell()
    write()
  })
  setInterval(() => {
    if (stopped || document.hidden) return
    write()
    location.reload()
  }, every)
  tell()
})()
