import SwiftletCommandLine
import Testing

@Suite("Suggestions")
struct SuggestionTests {
  static let commands = ["inspect", "run", "verify", "bench", "detect-objects", "detect-faces", "models"]

  @Test(
    "finds the command for a typo",
    arguments: [
      ("inspct", "inspect"), ("vreify", "verify"), ("benhc", "bench"), ("detect-object", "detect-objects"),
      ("detect-face", "detect-faces"), ("rnu", "run"), ("model", "models"), ("insp", "inspect"),
    ])
  func findsNearest(word: String, meant: String) {
    #expect(Suggestion.nearest(to: word, in: Self.commands) == meant)
  }

  @Test(
    "ignores case, and finds words by a part",
    arguments: [
      ("Bench", "bench"), ("DETECT-FACE", "detect-faces"), ("objects", "detect-objects"), ("faces", "detect-faces"),
    ])
  func findsParts(word: String, meant: String) {
    #expect(Suggestion.nearest(to: word, in: Self.commands) == meant)
  }

  @Test("finds the nearest of several similar names, and returns names as written")
  func findsBest() {
    #expect(Suggestion.nearest(to: "cats", in: ["cars", "Cat", "cast"]) == "cars")
    #expect(Suggestion.nearest(to: "doog", in: ["door", "Dog", ""]) == "door")
    #expect(Suggestion.nearest(to: "dgo", in: ["cat", "Dog"]) == "Dog")
  }

  @Test("is quick with a word of any length")
  func longWords() {
    #expect(Suggestion.nearest(to: String(repeating: "a", count: 1_000_000), in: Self.commands) == nil)
  }

  @Test("finds nothing for other words", arguments: ["", "frobnicate", "x", "help-me-please"])
  func findsNothing(word: String) {
    #expect(Suggestion.nearest(to: word, in: Self.commands) == nil)
  }

  @Test("finds nothing without candidates")
  func findsNothingAmongNone() {
    #expect(Suggestion.nearest(to: "run", in: []) == nil)
  }
}

@Suite("Progress bar")
struct ProgressBarTests {
  @Test("grows from empty to full and counts")
  func grows() {
    var bar = ProgressBar("verify", total: 4)
    #expect(bar.line == "verify " + String(repeating: "·", count: 30) + " 0/4")
    bar.advance()
    bar.advance()
    #expect(bar.line == "verify " + String(repeating: "█", count: 15) + String(repeating: "·", count: 15) + " 2/4")
    for _ in 0..<5 { bar.advance() }
    #expect(bar.line.hasPrefix("verify " + String(repeating: "█", count: 30) + " "))
  }

  @Test("shows bytes, also before the total is known")
  func bytes() {
    let bar = ProgressBar("fetch", total: 1)
    #expect(bar.line(bytes: 0, of: nil) == "fetch " + String(repeating: "·", count: 30) + " 0.0 MB")
    #expect(
      bar.line(bytes: 1_260_000, of: 2_520_000) == "fetch " + String(repeating: "█", count: 15)
        + String(repeating: "·", count: 15) + " 1.3 MB of 2.5 MB")
    #expect(bar.line(bytes: 9, of: 3) == "fetch " + String(repeating: "█", count: 30) + " 0.0 MB of 0.0 MB")
  }

  @Test("does not divide by a total of 0")
  func acceptsEmptyTotal() {
    var bar = ProgressBar("none", total: 0)
    bar.advance()
    #expect(bar.line.hasSuffix("1/1"))
  }
}
