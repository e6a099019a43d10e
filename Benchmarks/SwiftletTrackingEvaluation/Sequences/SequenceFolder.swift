import Foundation
import SwiftletCommandLine
import SwiftletTracking

/// A sequence as a directory of the MOT challenge: `seqinfo.ini`, `det/det.txt`, and `gt/gt.txt`, the latter two also
/// without their subdirectories.
///
/// If frames aren't evenly spaced, `times.txt` contains a line per frame with its number and its time in seconds.
package enum SequenceFolder {
  private static let maxBytes = 1 << 28

  /// Reads a sequence.
  ///
  /// - Returns: The sequence, without ground truth if there is no `gt.txt`. Ground-truth boxes with a confidence of 0
  ///   are excluded from evaluation and omitted.
  /// - Throws: `EvaluationError` with file and line for unreadable, missing, or invalid content.
  package static func read(_ path: String) throws(EvaluationError) -> TrackingSequence {
    let file = path + "/seqinfo.ini"
    let information = try SequenceInformation(text(file), file: file)
    let folderName = String(path.split(separator: "/").last ?? "sequence")
    let times = try times(path + "/times.txt", information)
    let (width, height) = (Double(information.width), Double(information.height))
    var sequence = TrackingSequence(
      name: information.name.isEmpty ? folderName : information.name, frameRate: information.frameRate,
      frames: times.map { TrackingSequence.Frame(time: $0, width: width, height: height) })
    guard let detections = existing(path, "det") else {
      throw EvaluationError("\(path): neither det/det.txt nor det.txt is there; a sequence needs a detector's boxes")
    }
    for row in try MOTText.rows(
      text(detections), file: detections, frameCount: information.frameCount, needsIdentities: false)
    {
      sequence.frames[row.frame - 1].detections.append(BoxDetection(box: row.box, score: row.confidence))
    }
    guard let truth = existing(path, "gt") else {
      sequence.hasTruth = false
      return sequence
    }
    for row in try MOTText.rows(text(truth), file: truth, frameCount: information.frameCount, needsIdentities: true)
    where row.confidence != 0 {
      sequence.frames[row.frame - 1].truth.append(IdentifiedBox(identity: row.identity, box: row.box))
    }
    return sequence
  }

  /// Reads a tracker's output for a sequence.
  ///
  /// - Throws: `EvaluationError` with file and line for unreadable or invalid content.
  package static func output(of sequence: TrackingSequence, file: String) throws(EvaluationError) -> [[IdentifiedBox]] {
    var frames = [[IdentifiedBox]](repeating: [], count: sequence.frames.count)
    for row in try MOTText.rows(text(file), file: file, frameCount: frames.count, needsIdentities: true) {
      frames[row.frame - 1].append(IdentifiedBox(identity: row.identity, box: row.box))
    }
    return frames
  }

  /// Writes a sequence in the form that `read` accepts. If the frame size changes, `seqinfo.ini` contains the largest
  /// size.
  ///
  /// - Throws: `EvaluationError` if a file cannot be written.
  package static func write(_ sequence: TrackingSequence, to path: String) throws(EvaluationError) {
    let sizes = sequence.frames.map { (Int($0.width.rounded(.up)), Int($0.height.rounded(.up))) }
    let information = SequenceInformation(
      name: sequence.name, frameRate: sequence.frameRate, frameCount: max(1, sequence.frames.count),
      width: sizes.map(\.0).max() ?? 1,
      height: sizes.map(\.1).max() ?? 1)
    try put(information.text, path + "/seqinfo.ini")
    let numbered = sequence.frames.enumerated()
    try put(numbered.map { "\($0 + 1),\($1.time)\n" }.joined(), path + "/times.txt")
    try put(
      MOTText.text(
        numbered.flatMap { index, frame in
          frame.detections.map { MOTText.Row(frame: index + 1, identity: -1, box: $0.box, confidence: $0.score) }
        }), path + "/det/det.txt")
    guard sequence.hasTruth else { return }
    try put(MOTText.text(rows(sequence.frames.map(\.truth))), path + "/gt/gt.txt")
  }

  /// Writes a tracker's output for a sequence.
  ///
  /// - Throws: `EvaluationError` if the file cannot be written.
  package static func write(output: [[IdentifiedBox]], to file: String) throws(EvaluationError) {
    try put(MOTText.text(rows(output)), file)
  }

  private static func rows(_ frames: [[IdentifiedBox]]) -> [MOTText.Row] {
    frames.enumerated().flatMap { index, boxes in
      boxes.map { MOTText.Row(frame: index + 1, identity: $0.identity, box: $0.box, confidence: 1) }
    }
  }

  /// Returns the times of all frames: from the file if it exists, otherwise from the frame rate.
  private static func times(_ file: String, _ information: SequenceInformation) throws(EvaluationError) -> [Double] {
    guard FileManager.default.fileExists(atPath: file) else {
      return (0..<information.frameCount).map { Double($0) / information.frameRate }
    }
    var times: [Double] = []
    for line in try text(file).split(whereSeparator: \.isNewline) {
      let fields = line.split(separator: ",")
      let place = "\(file):\(times.count + 1)"
      guard fields.count == 2, Int(fields[0]) == times.count + 1, let time = Double(fields[1]), time.isFinite,
        time >= times.last ?? -.infinity
      else {
        throw EvaluationError(
          "\(place): '\(line.prefix(40))'; expected \(times.count + 1), a comma and a time not before the last")
      }
      times.append(time)
    }
    guard times.count == information.frameCount else {
      throw EvaluationError("\(file): \(times.count) times for the \(information.frameCount) frames of seqinfo.ini")
    }
    return times
  }

  private static func existing(_ path: String, _ name: String) -> String? {
    ["\(path)/\(name)/\(name).txt", "\(path)/\(name).txt"].first(where: FileManager.default.fileExists)
  }

  private static func text(_ file: String) throws(EvaluationError) -> String {
    do {
      let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
      guard size <= maxBytes else { throw EvaluationError("\(file): \(size) bytes; no more than \(maxBytes) are read") }
      return try String(contentsOfFile: file, encoding: .utf8)
    } catch let error as EvaluationError {
      throw error
    } catch {
      throw EvaluationError("\(file): cannot be read as UTF-8 text: \(error.localizedDescription)")
    }
  }

  private static func put(_ text: String, _ file: String) throws(EvaluationError) {
    let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try AtomicFile.write(Array(text.utf8), to: file)
    } catch {
      throw EvaluationError("\(file): cannot be written: \(error)")
    }
  }
}
