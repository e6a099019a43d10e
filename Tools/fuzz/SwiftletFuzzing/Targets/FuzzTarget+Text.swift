import SwiftletTestSupport
import SwiftletText

extension FuzzTarget {
  /// A pattern, a vocabulary, and a text, separated by zero bytes, for a model of every tokenizer type.
  static let text = FuzzTarget(
    "text",
    seeds: {
      [
        "[^\\w']+\0<PAD> 0\n<START> 1\n<UNKNOWN> 2\nit's 3\0It's good, naïve 你好",
        "(?:a|b)+?|\\pP{2,3}|^x$\0[CLS]\n[SEP]\n[UNK]\nun\n##able\0unable to, xyz!",
        "[[:alpha:]\\x{41}-\\x{5A}\\D]\0a 1\r\nb 2\n\0a1b2",
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard parts.count == 3 else { return }
    for input in [.pattern(parts[0]), .wordPieces, .string] as [WordModel.Input] {
      let model = WordModel(input, vocabulary: parts[1])
      guard let task = try? TextEmbedder(.bytes(model.bytes)) else { continue }
      _ = try? task.embedding(of: parts[2])
    }
  }
}
