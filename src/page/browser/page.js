// What every page does in a browser: light and dark, and buttons that copy. Without it a page shows the same.
;(() => {
  const root = document.documentElement
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const button = document.getElementById('theme')

  /** @returns {'light' | 'dark'} */
  const theme = () => ((root.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark' ? 'dark' : 'light')

  const tell = () => {
    if (button !== null) button.textContent = theme() === 'dark' ? 'Light theme' : 'Dark theme'
    document.dispatchEvent(new Event('theme'))
  }

  button?.addEventListener('click', () => {
    root.dataset.theme = theme() === 'dark' ? 'light' : 'dark'
    tell()
  })
  dark.addEventListener('change', tell)
  if (button !== null) button.hidden = false
  tell()

  /** @param {string} text */
  const say = (text) => {
    const said = document.getElementById('said')
    if (said !== null) said.textContent = text
  }

  /**
   * A page that was opened as a file may have no clipboard of its own: then the text is selected and copied as a reader would.
   * @param {Element} source
   */
  const copy = async (source) => {
    const text = source.textContent ?? ''
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      getSelection()?.selectAllChildren(source)
      document.execCommand('copy')
    }
  }

  for (const one of document.querySelectorAll('[data-copy]')) {
    if (!(one instanceof HTMLButtonElement)) continue
    one.hidden = false
    one.addEventListener('click', () => {
      const source = one.parentElement?.querySelector('code')
      if (source === null || source === undefined) return
      copy(source).then(
        () => say('Copied'),
        () => say('Could not copy'),
      )
    })
  }

  // A link to something inside of what is folded opens it.
  const unfold = () => {
    const id = decodeURIComponent(location.hash.slice(1))
    const target = id === '' ? null : document.getElementById(id)
    for (let one = target; one !== null; one = one.parentElement) if (one instanceof HTMLDetailsElement) one.open = true
    target?.scrollIntoView()
  }
  addEventListener('hashchange', unfold)
  unfold()
})()
