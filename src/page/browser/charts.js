// Draws the charts of a load page from its data block, with uPlot. The numbers stand in tables as well.

/**
 * @typedef {object} Line
 * @property {string} label
 * @property {(number | null)[]} values
 * @property {number} colour from 1 to 8
 * @property {number} dash 0 solid, 1 dashed, 2 dotted
 *
 * @typedef {object} Chart
 * @property {string} id of the element that it is drawn into
 * @property {'seconds' | 'nights' | 'rate'} axis what `x` counts
 * @property {number[]} x
 * @property {string[]} [names] of the nights
 * @property {string} unit
 * @property {boolean} logarithmic
 * @property {Line[]} lines
 * @property {{ at: number, label: string, tone?: 'good' | 'bad' }[]} marks vertical lines
 * @property {string} [group] of charts of which one is shown at a time
 */
;(() => {
  /** @type {typeof import('uplot')} */
  const Plot = /** @type {any} */ (globalThis).uPlot
  /** @type {Chart[]} */
  const charts = JSON.parse(document.getElementById('charts')?.textContent ?? '[]')
  const printed = matchMedia('print')
  const probe = document.createElement('i')
  probe.hidden = true
  document.body.append(probe)

  /** Resolves a colour for the theme in force, as a canvas can't. @param {string} name */
  const colour = (name) => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }

  const dashes = [[], [8, 5], [2, 4]]

  /** Seconds between grid lines. */
  const wholeTimes = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400]

  /** @param {number} value */
  const shown = (value) =>
    Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))

  /** @param {Chart} chart @param {number} value */
  const place = ({ axis, names }, value) => {
    if (axis === 'nights') return names?.[value] ?? ''
    if (axis === 'rate') return `${shown(value)}/s`
    return `${Math.floor(value / 60)}:${String(Math.round(value % 60)).padStart(2, '0')}`
  }

  /** Writes what stands under the pointer into the legend. @param {Chart} chart @param {import('uplot')} plot */
  const tell = (chart, plot) => {
    const index = plot.cursor.idx ?? null
    const cells = document.querySelectorAll(`#${chart.id}-legend b`)
    chart.lines.forEach((line, at) => {
      const value = index === null ? null : line.values[index]
      const cell = cells[at]
      if (cell !== undefined)
        cell.textContent = value === null || value === undefined ? '' : ` ${shown(value)} ${chart.unit}`
    })
    const where = document.querySelector(`#${chart.id}-legend .where`)
    if (where !== null) where.textContent = index === null ? '' : place(chart, chart.x[index] ?? 0)
  }

  /** @param {Chart} chart @param {import('uplot')} plot */
  const drawMarks = (chart, plot) => {
    const { ctx, bbox } = plot
    ctx.save()
    ctx.lineWidth = devicePixelRatio
    ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio])
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`
    for (const { at, label, tone = 'soft' } of chart.marks) {
      ctx.strokeStyle = colour(tone)
      ctx.fillStyle = colour(tone)
      const x = Math.round(plot.valToPos(at, 'x', true))
      const leftward = x > bbox.left + bbox.width / 2
      ctx.beginPath()
      ctx.moveTo(x, bbox.top)
      ctx.lineTo(x, bbox.top + bbox.height)
      ctx.stroke()
      ctx.textAlign = leftward ? 'right' : 'left'
      ctx.fillText(label, x + (leftward ? -5 : 5) * devicePixelRatio, bbox.top - 4 * devicePixelRatio)
    }
    ctx.restore()
  }

  /** @param {Chart} chart @param {HTMLElement} element @returns {import('uplot').Options} */
  const optionsOf = (chart, element) => {
    const axis = {
      stroke: colour('soft'),
      grid: { stroke: colour('line'), width: 1 },
      ticks: { stroke: colour('line'), width: 1 },
    }
    /** @param {import('uplot')} _ @param {number[]} splits */
    const decades = (_, splits) =>
      splits.map((split) => (!chart.logarithmic || Number.isInteger(Math.log10(split)) ? split : null))
    const fewPoints = chart.x.length <= 120
    return {
      width: Math.max(200, element.clientWidth),
      height: element.dataset.height === 'short' ? 150 : 270,
      // Dates are wide, and the last one stands below the right edge.
      padding: [14, chart.axis === 'nights' ? 36 : 12, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { size: 7 } },
      scales: {
        x: { time: false },
        y: chart.logarithmic
          ? { distr: 3 }
          : { range: (_, low, high) => [Math.min(0, low ?? 0), (high ?? 1) * 1.08 || 1] },
      },
      axes: [
        {
          ...axis,
          size: 32,
          ...(chart.axis === 'seconds' ? { incrs: wholeTimes } : {}),
          space: chart.axis === 'nights' ? 90 : 70,
          values: (_, ticks) =>
            ticks.map((tick) => (Number.isInteger(tick) || chart.axis !== 'nights' ? place(chart, tick) : '')),
        },
        {
          ...axis,
          size: 62,
          grid: { ...axis.grid, filter: decades },
          ticks: { ...axis.ticks, filter: decades },
          filter: decades,
          values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : shown(tick))),
        },
      ],
      series: [
        {},
        ...chart.lines.map((line) => ({
          label: line.label,
          stroke: colour(`c${line.colour}`),
          width: 2,
          dash: dashes[line.dash] ?? [],
          spanGaps: false,
          points: { show: fewPoints && line.dash === 0, size: 5, fill: colour(`c${line.colour}`) },
        })),
      ],
      hooks: {
        setCursor: [(plot) => tell(chart, plot)],
        draw: [(plot) => drawMarks(chart, plot)],
      },
    }
  }

  /** @type {Map<string, import('uplot')>} */
  const drawn = new Map()

  /** @param {Chart} chart */
  const draw = (chart) => {
    const element = document.getElementById(chart.id)
    if (element === null || element.clientWidth === 0) return
    drawn.get(chart.id)?.destroy()
    drawn.set(
      chart.id,
      new Plot(optionsOf(chart, element), [chart.x, ...chart.lines.map(({ values }) => values)], element),
    )
  }

  const drawAll = () => charts.forEach(draw)

  let due = 0
  const drawSoon = () => {
    cancelAnimationFrame(due)
    due = requestAnimationFrame(drawAll)
  }

  /** @param {HTMLButtonElement} button */
  const choose = (button) => {
    const { group, shows } = button.dataset
    for (const other of document.querySelectorAll(`button[data-group="${group}"]`))
      other.setAttribute('aria-pressed', String(other === button))
    for (const figure of document.querySelectorAll(`figure[data-group="${group}"]`))
      if (figure instanceof HTMLElement) figure.hidden = figure.id !== shows
  }

  // One chart of a group is shown at a time, chosen by its buttons.
  for (const button of document.querySelectorAll('button[data-shows]')) {
    if (!(button instanceof HTMLButtonElement)) continue
    button.hidden = false
    button.addEventListener('click', () => {
      choose(button)
      drawAll()
    })
    if (button.getAttribute('aria-pressed') === 'true') choose(button)
  }

  addEventListener('resize', drawSoon)
  document.addEventListener('theme', drawAll)
  addEventListener('beforeprint', drawAll)
  addEventListener('afterprint', drawAll)
  printed.addEventListener('change', drawAll)
  drawAll()
})()
