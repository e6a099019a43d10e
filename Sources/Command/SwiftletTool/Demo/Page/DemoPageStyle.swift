// The style of the page, and the script that plays the video.
extension DemoPage {
  static let style = """
    html { scroll-behavior: smooth; }
    .top { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: end; justify-content: space-between; max-width: 1180px; margin: 0 auto; padding: 24px 20px 12px; }
    .top h1 { font-size: 26px; }
    .top p { margin: 4px 0 0; }
    nav { display: flex; flex-wrap: wrap; gap: 6px; }
    nav a { text-decoration: none; color: var(--text); }
    main { display: grid; gap: 16px; max-width: 1180px; margin: 0 auto; padding: 0 20px 32px; }
    main > * { min-width: 0; }
    .task { display: grid; gap: 12px; scroll-margin-top: 12px; }
    .task > * { min-width: 0; }
    .task p { margin: 0; }
    .head { display: flex; flex-wrap: wrap; gap: 4px 24px; justify-content: space-between; align-items: baseline; }
    .time strong { font-size: 20px; font-variant-numeric: tabular-nums; }
    .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(170px, 100%), 1fr)); gap: 12px; }
    figure { margin: 0; }
    figure img { display: block; width: 100%; height: auto; border-radius: 6px; background: var(--sunken); }
    figcaption { display: flex; flex-wrap: wrap; gap: 4px 8px; justify-content: space-between; padding-top: 6px; font-size: 13px; }
    .figures.photographs { grid-template-columns: repeat(auto-fill, minmax(min(230px, 100%), 1fr)); }
    .figures.sounds { grid-template-columns: repeat(auto-fill, minmax(min(220px, 100%), 1fr)); gap: 20px 16px; }
    .wave { display: block; width: 100%; height: 60px; }
    .wave path { fill: var(--accent); }
    figure .spectrogram { width: 100%; height: 90px; border-radius: 6px; }
    audio { width: 100%; height: 34px; margin-top: 8px; }
    .scores { list-style: none; margin: 6px 0 0; padding: 0; display: grid; gap: 3px; font-size: 13px; }
    .scores li { display: flex; justify-content: space-between; gap: 8px; padding: 1px 8px; border-radius: 4px; font-variant-numeric: tabular-nums;
      background: linear-gradient(to right, color-mix(in srgb, var(--accent) 24%, var(--surface)) var(--share), var(--sunken) var(--share)); }
    .sentences { list-style: none; margin: 0; padding: 0; display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(min(300px, 100%), 1fr)); }
    .sentences li { min-width: 0; }
    .sentences .sentence { font-size: 15px; overflow-wrap: anywhere; }
    .left-out { margin: 0; padding-left: 20px; }
    .matrix { width: auto; }
    .matrix caption { text-align: left; padding-bottom: 4px; font-size: 12px; }
    .matrix td.number { background: color-mix(in srgb, var(--accent-soft) var(--share), transparent); border: 1px solid var(--line); }
    .player { display: grid; gap: 8px; justify-items: start; }
    .player img { width: min(480px, 100%); height: auto; border-radius: 6px; background: var(--sunken); }
    .controls { display: flex; gap: 10px; align-items: center; width: min(480px, 100%); }
    .controls input { flex: 1; min-width: 60px; accent-color: var(--accent); }
    .strip { display: block; max-width: 100%; height: auto; border-radius: 6px; }
    .again { font-size: 13px; overflow-wrap: anywhere; }
    footer p { margin: 0 0 4px; }
    @media (max-width: 600px) {
      .top { padding: 16px 10px 10px; }
      main { padding: 0 10px 20px; gap: 12px; }
      .card { padding: 12px; }
      nav a { min-height: 36px; }
      button { min-height: 40px; }
      .figures { grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); gap: 10px; }
      .figures.photographs, .figures.sounds { grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 12px 10px; }
      .stacked, .stacked tbody, .stacked tr, .stacked td { display: block; }
      .stacked thead { display: none; }
      .stacked tr { padding: 6px 0; border-bottom: 1px solid var(--line); }
      .stacked tr:last-child { border-bottom: 0; }
      .stacked td, .stacked td.number { padding: 1px 0 1px 84px; border: 0; text-align: left; white-space: normal; overflow-wrap: anywhere; min-height: 1.5em; position: relative; }
      .stacked td::before { position: absolute; left: 0; color: var(--muted); font-size: 12px; line-height: 21px; }
      .stacked td:first-child::before { content: "Image"; }
      .drawn td:nth-child(2)::before { content: "Drawn"; }
      .drawn td:nth-child(3)::before { content: "Found"; }
      .drawn td:nth-child(4)::before { content: "Compared"; }
      .drawn td:nth-child(5)::before { content: "ms"; }
      .found td:nth-child(2)::before { content: "Found"; }
      .found td:nth-child(3)::before { content: "ms"; }
      .drawn td:nth-child(6), .found td:nth-child(4) { display: none; }
    }
    @media print {
      @page { margin: 14mm; }
      body { font-size: 11px; }
      nav, audio, .player { display: none; }
      .top, main { max-width: none; padding: 0; }
      main { display: block; }
      .card { border: 0; border-top: 1px solid var(--line-strong); border-radius: 0; padding: 10px 0; margin-top: 12px; }
      .task { display: block; break-inside: auto; }
      .task > * + * { margin-top: 8px; }
      .head, h2 { break-after: avoid; }
      figure, tr, .sentences li, .scores, .matrix { break-inside: avoid; }
      thead { display: table-header-group; }
      .stacked td:first-child { white-space: nowrap; }
      .figures { grid-template-columns: repeat(4, 1fr); }
      .figures.photographs { grid-template-columns: repeat(3, 1fr); }
      .figures.sounds { grid-template-columns: repeat(4, 1fr); }
      .sentences { grid-template-columns: repeat(2, 1fr); }
      .scroll { overflow: visible; }
      .chip, .scores li, .matrix td.number { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      a { color: inherit; text-decoration: none; }
    }
    """

  static let script = """
    const data = JSON.parse(document.getElementById("data").textContent);
    const image = document.getElementById("frame"), button = document.getElementById("play");
    const slider = document.getElementById("position"), number = document.getElementById("number"), caption = document.getElementById("caption");
    // Held here, so that no frame is loaded twice.
    const images = data.frames.map((address) => { const frame = new Image(); frame.src = address; return frame; });
    let position = 0, timer = null;
    function show(index) {
      position = index;
      image.src = images[index].src;
      slider.value = index;
      number.textContent = (index + 1) + " / " + images.length;
      caption.textContent = data.captions[index] || "no objects";
    }
    function play(isPlaying) {
      clearInterval(timer);
      timer = isPlaying ? setInterval(() => show((position + 1) % images.length), 1000 / data.frames_per_second) : null;
      button.textContent = isPlaying ? "Pause" : "Play";
      button.setAttribute("aria-pressed", String(isPlaying));
    }
    button.addEventListener("click", () => play(timer === null));
    slider.addEventListener("input", () => { play(false); show(Number(slider.value)); });
    show(0);
    play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
    document.body.dataset.ready = String(images.length);
    """
}
