package import SwiftletTracking

/// The text format of the MOT challenge, with one box per line: `frame, identity, left, top, width, height, confidence`
/// and up to three more numbers. Frame numbers start at 1.
///
/// - Source: The format's description at motchallenge.net, as TrackEval reads it.
package enum MOTText {
  package struct Row: Sendable, Hashable {
    /// The frame number, from 1.
    package var frame: Int
    /// The identity, or -1 for none.
    package var identity: Int
    package var box: PixelRect
    package var confidence: Double

    package init(frame: Int, identity: Int, box: PixelRect, confidence: Double) {
      self.frame = frame
      self.identity = identity
      self.box = box
      self.confidence = confidence
    }
  }

  static let maxFrame = 1_000_000
  private static let maxIdentity = 1_000_000_000
  private static let maxCoordinate = 1e7
  private static let columns = 6...10

  /// Reads a file's text.
  ///
  /// - Parameters:
  ///   - text: Lines that end in LF or CRLF; empty lines are skipped.
  ///   - file: The name of the file in errors.
  ///   - frameCount: The number of frames in the sequence, or `nil` if unknown.
  ///   - needsIdentities: Whether every box must have an identity that is unique in its frame.
  /// - Throws: `EvaluationError` with file and line, for a wrong number of columns, invalid numbers, numbers out of
  ///   range, and missing or duplicate identities.
  package static func rows(_ text: String, file: String, frameCount: Int?, needsIdentities: Bool)
    throws(EvaluationError) -> [Row]
  {
    var rows: [Row] = []
    var seen: Set<[Int]> = []
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let reader = LineReader(line: line, place: "\(file):\(number)")
      guard !reader.isEmpty else { continue }
      let row = try reader.row(columns: columns, maxFrame: frameCount ?? maxFrame)
      if needsIdentities {
        guard row.identity >= 0 else {
          throw reader.error("identity \(row.identity); every box needs one that is not negative")
        }
        guard seen.insert([row.frame, row.identity]).inserted else {
          throw reader.error("identity \(row.identity) is already in frame \(row.frame); a frame has an identity once")
        }
      }
      rows.append(row)
    }
    return rows
  }

  /// Returns rows in the challenge's result format: with identities, and -1 for unknown values.
  package static func text(_ rows: some Sequence<Row>) -> String {
    rows.map { row in
      "\(row.frame),\(row.identity),\(row.box.x),\(row.box.y),\(row.box.width),\(row.box.height),\(row.confidence),-1,-1,-1\n"
    }.joined()
  }

  private struct LineReader {
    let fields: [Substring]
    let place: String

    init(line: Substring, place: String) {
      fields = line.split(separator: ",", omittingEmptySubsequences: false).map { field in
        let start = field.drop { $0 == " " || $0 == "\t" }
        return start.prefix(
          (start.lastIndex { $0 != " " && $0 != "\t" }.map { start.distance(from: start.startIndex, to: $0) + 1 }) ?? 0)
      }
      self.place = place
    }

    var isEmpty: Bool { fields.count == 1 && fields[0].isEmpty }

    func error(_ what: String) -> EvaluationError { EvaluationError("\(place): \(what)") }

    func row(columns: ClosedRange<Int>, maxFrame: Int) throws(EvaluationError) -> Row {
      guard columns.contains(fields.count) else {
        throw error(
          "\(fields.count) columns; expected \(columns.lowerBound) to \(columns.upperBound), separated by commas")
      }
      let frame = try whole(0, "frame", in: 1...maxFrame)
      let identity = try whole(1, "identity", in: -1...MOTText.maxIdentity)
      let range = -MOTText.maxCoordinate...MOTText.maxCoordinate
      let sizes = Double.leastNormalMagnitude...MOTText.maxCoordinate
      let box = PixelRect(
        x: try real(2, "left", in: range), y: try real(3, "top", in: range), width: try real(4, "width", in: sizes),
        height: try real(5, "height", in: sizes))
      let confidence = fields.count > 6 ? try real(6, "confidence", in: -1e6...1e6) : 1
      for column in 7..<max(7, fields.count) { _ = try real(column, "column \(column + 1)", in: -1e12...1e12) }
      return Row(frame: frame, identity: identity, box: box, confidence: confidence)
    }

    private func whole(_ column: Int, _ name: String, in range: ClosedRange<Int>) throws(EvaluationError) -> Int {
      // Some tools write integers with a decimal point.
      guard let value = number(column), value == value.rounded(), abs(value) < 1e15, range.contains(Int(value)) else {
        throw error(
          "\(name) is '\(fields[column].prefix(40))'; expected a whole number in \(range.lowerBound)…\(range.upperBound)"
        )
      }
      return Int(value)
    }

    private func real(_ column: Int, _ name: String, in range: ClosedRange<Double>) throws(EvaluationError) -> Double {
      guard let value = number(column), range.contains(value) else {
        let bounds =
          range.lowerBound > 0 ? "above 0 and up to \(range.upperBound)" : "in \(range.lowerBound)…\(range.upperBound)"
        throw error("\(name) is '\(fields[column].prefix(40))'; expected a number \(bounds)")
      }
      return value
    }

    /// Returns a finite decimal number, or `nil` for other notations that a programming language would accept.
    private func number(_ column: Int) -> Double? {
      let field = fields[column]
      guard field.count <= 40, field.utf8.allSatisfy({ (48...57).contains($0) || "+-.eE".utf8.contains($0) }) else {
        return nil
      }
      return Double(field).flatMap { $0.isFinite ? $0 : nil }
    }
  }
}
