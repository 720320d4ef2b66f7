// Filters and searches the list of all requirements. Without it all of them are shown.
;(() => {
  const form = document.getElementById('filter')
  const search = document.getElementById('search')
  const found = document.getElementById('found')
  if (!(form instanceof HTMLFormElement) || !(search instanceof HTMLInputElement) || found === null) return
  const parts = [...document.querySelectorAll('section.part')].map((section) => ({
    section,
    rows: [...section.querySelectorAll('tbody tr')].map((row) => ({
      row,
      verdict: row instanceof HTMLElement ? (row.dataset.verdict ?? '') : '',
      // A family is one line for several requirements.
      counts: row instanceof HTMLElement ? Number(row.dataset.rows ?? 1) : 1,
      text: (row.textContent ?? '').toLowerCase(),
    })),
  }))

  const filter = () => {
    const wanted = new Set(new FormData(form).getAll('verdict'))
    const words = search.value.toLowerCase().replace('§', ' ').split(/\s+/).filter(Boolean)
    let count = 0
    for (const { section, rows } of parts) {
      let shown = 0
      for (const { row, verdict, counts, text } of rows) {
        const fits = wanted.has(verdict) && words.every((word) => text.includes(word))
        row.toggleAttribute('hidden', !fits)
        if (fits) shown += counts
      }
      section.toggleAttribute('hidden', shown === 0)
      count += shown
    }
    found.textContent = count === 1 ? '1 requirement' : `${count} requirements`
  }

  /** A link to a row shows it, whatever is filtered. */
  const reveal = () => {
    const row = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (row === null) return
    row.closest('details')?.setAttribute('open', '')
    if (!row.closest('[hidden]')) return
    row.closest('tr')?.removeAttribute('hidden')
    row.closest('section')?.removeAttribute('hidden')
    row.scrollIntoView()
  }

  let due = 0
  form.addEventListener('input', () => {
    clearTimeout(due)
    due = setTimeout(filter, 120)
  })
  form.addEventListener('submit', (event) => event.preventDefault())
  addEventListener('hashchange', reveal)
  form.hidden = false
})()
