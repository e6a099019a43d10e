import SwiftletBase
import SwiftletTestSupport

/// Models for text tasks, valid or nearly valid.
enum TextModels {
  /// Returns the model of a campaign's case: any tokenizer type, with a nearly correct pattern, vocabulary, and labels,
  /// changed through its schema or in the bytes of its files.
  static func model(seed: UInt64, case number: Int) -> [UInt8] {
    var random = FuzzRandom(seed: seed ^ 0x7465_7874, case: number)
    let kinds: [WordModel.Input] = [
      .pattern(pattern(&random)), .pattern(pattern(&random)), .wordPieces, .wordPieces, .string, .sentenceEncoder,
      .sentencePiece, .sentencePieces, .unexplained, .pattern(nil),
    ]
    let length = random.one(8, 8, 1, 2, 3, 128)
    var model = WordModel(random.pick(kinds) ?? .string, length: length, vocabulary: vocabulary(&random))
    if random.oneIn(2) {
      let count = random.one(length, length, WordModel.stringLength, 0, 1)
      model.labels = (0..<count).map { random.oneIn(4) ? random.hostileText() : "label \($0)" }
    }
    if random.oneIn(4) { model.extraOutputs = 1 }
    if random.oneIn(16) { model.extraSubgraphs = 1 }
    if random.oneIn(8) { model.tableSize = random.within(1...40) }
    if random.oneIn(12) {
      model.inputNames = (0..<3).map { _ in random.one("ids", "mask", "segment_ids", "inp_text", "") }
    }
    var archive = RawArchive(model.files)
    model.hasFiles = false
    archive.prefix = model.bytes
    if random.oneIn(2), var changed = FuzzModel(reading: ByteRegion(archive.prefix)) {
      var mutator = ModelMutator(FuzzRandom(seed: random.next()), donor: random.pick(SeedModels.parsed))
      mutator.mutate(&changed)
      archive.prefix = changed.bytes
    }
    var bytes = archive.bytes
    if random.oneIn(8), !bytes.isEmpty {
      let span = random.one(64, 1024, bytes.count)
      for _ in 0..<random.within(1...8) {
        bytes[bytes.count - 1 - random.below(min(span, bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
    }
    return bytes
  }

  /// Returns a text of any script, length, and kind, which can contain words of the vocabularies.
  static func text(_ random: inout FuzzRandom) -> String {
    let parts = (0..<random.one(0, 1, 5, 40, 400)).map { _ in
      switch random.below(6) {
      case 0: scalars(&random)
      case 1: random.hostileText()
      case 2: random.one(" ", "\t", "\n", "\u{A0}", "\u{3000}", "\u{0}", "\u{FEFF}", "\u{301}")
      default: random.pick(words) ?? ""
      }
    }
    return parts.joined(separator: random.one(" ", "", "--"))
  }

  private static let words = [
    "<PAD>", "<START>", "<UNKNOWN>", "[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##able", "able", "to", "it's", "naïve",
    "你", "好", "##s", "a", "b", "##", "the", "movie", "é", "😀",
  ]

  private static func scalars(_ random: inout FuzzRandom) -> String {
    var text = ""
    for _ in 0..<random.one(1, 3, 12, 300) {
      let limit = random.one(0x80, 0x80, 0x800, 0x3000, 0x11_0000)
      text.unicodeScalars.append(Unicode.Scalar(UInt32(random.below(limit))) ?? "?")
    }
    return text
  }

  private static func vocabulary(_ random: inout FuzzRandom) -> String? {
    guard !random.oneIn(16) else { return nil }
    let isNumbered = random.oneIn(2)
    let lines = (0..<random.one(0, 3, 20, 23, 60)).map { index in
      let word = random.oneIn(8) ? scalars(&random) : index < words.count ? words[index] : random.pick(words) ?? ""
      guard isNumbered else { return word }
      let number = random.oneIn(12) ? Int(random.hostile()) : index
      return random.oneIn(20) ? word : "\(word) \(number)"
    }
    return lines.joined(separator: random.oneIn(6) ? "\r\n" : "\n")
  }

  /// Returns a pattern, valid or nearly valid.
  private static func pattern(_ random: inout FuzzRandom) -> String {
    guard !random.oneIn(4) else { return random.one("[^\\w']+", "\\s+", "[[:space:][:punct:]]+", " ") }
    var text = ""
    for _ in 0..<random.within(1...random.one(3, 12, 60)) {
      text += random.oneIn(12) ? scalars(&random) : random.pick(pieces) ?? ""
    }
    return text
  }

  private static let pieces = [
    "a", ".", "[a-z]", "[^\\w']", "\\s", "\\D", "\\pL", "\\p{Lu}", "\\P{Nd}", "\\x{1F600}", "\\x41", "[[:alpha:]]",
    "[^[:^space:]]", "(", ")", "(?:", "|", "*", "+", "?", "*?", "{2}", "{0,3}", "{1000}", "{2,}?", "^", "$", "\\A",
    "\\z",
    "\\b", "\\B", "[", "]", "-", "\\", "[z-a]", "[]a]", "(?i)", "\\Q", "\\1", "\\p{Greek}", "((((", "{999}{999}", "你",
  ]
}
