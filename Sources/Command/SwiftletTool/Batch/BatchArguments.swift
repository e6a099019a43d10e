import Foundation
import SwiftletCommandLine

/// The kind of operands in a batch: its word in messages, and its key in JSON.
struct BatchSubject: Sendable {
  var key: String
  var singular: String
  var plural: String

  static let images = BatchSubject(key: "image", singular: "image", plural: "images")
  static let audioFiles = BatchSubject(key: "audio", singular: "audio file", plural: "audio files")
  static let texts = BatchSubject(key: "text", singular: "text", plural: "texts")
}

/// The options of all task commands that accept several operands.
enum BatchArguments {
  static func declarations(_ subject: BatchSubject) -> [OptionDeclaration] {
    [
      .flag(
        "jsonl", "print one JSON object per line for each \(subject.singular), in order, as soon as it is available"),
      .value(
        "jobs", .integer(1...256),
        "the number of \(subject.plural) to process concurrently (default: for several \(subject.plural), the number of cores, with one thread each)"
      ),
      .flag(
        "fail-fast",
        "stop at the first \(subject.singular) that fails (default: process the rest, and exit with status 1)"),
    ]
  }

  static func list(_ subject: BatchSubject) -> OptionDeclaration {
    .flag("stdin-list", "read the paths of the \(subject.plural) from standard input, one per line")
  }

  /// Returns the number of operands to process concurrently.
  ///
  /// - Parameter isList: Whether there are, or can be, several operands.
  static func jobs(_ arguments: Arguments, isList: Bool) -> Int {
    guard arguments.takes("jobs"), isList, !arguments.flag(FrameRunner.video.name) else { return 1 }
    if let jobs = arguments.int("jobs") { return jobs }
    // Checked mode runs one operator at a time, so that a violation is attributed to the right operator. With
    // --keep-state, each image depends on the previous one.
    guard !arguments.flag("checked"), !arguments.flag("keep-state") else { return 1 }
    let cores = ProcessInfo.processInfo.activeProcessorCount
    return max(1, cores / (arguments.int("threads") ?? 1))
  }
}
