import Foundation
import SwiftletVision

// Sounds and sentences.
extension DemoPage {
  private static let shownScores = 3

  var soundsSection: String {
    let figures = zip(sounds.scored.examples, sounds.pictures).map { example, picture in
      """
      <figure>
      <svg class="wave" viewBox="0 0 \(Waveform.width) \(Waveform.height)" preserveAspectRatio="none" aria-hidden="true"><path d="\(picture.waveform.path)"/></svg>
      <img class="spectrogram" src="\(escaped(picture.spectrogram))" alt="Pitches of \(escaped(example.expected)) over a second" decoding="async">
      <figcaption>\(escaped(example.expected)) \(chip(example.agreement))</figcaption>
      \(scores(example.scores))
      <audio controls preload="none" src="\(escaped(example.subject))" aria-label="\(escaped(example.expected))"></audio>
      </figure>
      """
    }
    return """
      <section class="card task" id="\(sounds.scored.task)">
      \(head(sounds.scored.summary, sounds.scored.times))
      <div class="figures sounds">\(figures.joined())</div>
      \(again(sounds.scored.model.fileName, sounds.scored.command))
      </section>
      """
  }

  var sentencesSection: String {
    let rows = sentences.examples.map { example in
      """
      <li><p class="sentence">\(escaped(example.subject))</p><p>\(chip(example.agreement)) \
      <span class="muted">made as \(escaped(example.expected))</span></p>\(scores(example.scores))</li>
      """
    }
    return """
      <section class="card task" id="\(sentences.task)">
      \(head(sentences.summary, sentences.times))
      <ul class="sentences">\(rows.joined())</ul>
      \(again(sentences.model.fileName, sentences.command))
      </section>
      """
  }

  /// The best categories, each with a bar as long as its score.
  private func scores(_ categories: [ResultCategory]) -> String {
    let items = categories.prefix(Self.shownScores).map { category in
      """
      <li style="--share: \(Int(max(0, min(1, category.score)) * 100))%"><span>\(escaped(category.name))</span>\
      <span class="number">\(category.scoreText(digits: 2))</span></li>
      """
    }
    return "<ol class=\"scores\">\(items.joined())</ol>"
  }
}
