import SwiftletTracking

/// Ground truth and output in the form that all metrics use: identities as indices from 0, and the overlaps of boxes in
/// each frame.
package struct FrameOverlaps: Sendable {
  struct Frame: Sendable {
    var truth: [Int]
    var output: [Int]
    /// The intersection over union, with a row per ground-truth box.
    var overlaps: [Double]

    func overlap(_ row: Int, _ column: Int) -> Double { overlaps[row * output.count + column] }
  }

  /// The maximum product of the numbers of identities in ground truth and output. Both identity metrics keep a number
  /// for each pair.
  static let maxPairs = 1 << 20

  let frames: [Frame]
  let truthIdentities: Int
  let outputIdentities: Int
  let truthBoxes: Int
  let outputBoxes: Int
  /// The number of frames that contain each identity.
  let truthLengths: [Int]
  let outputLengths: [Int]

  /// Creates the overlaps.
  ///
  /// - Parameters:
  ///   - truth: The ground-truth boxes of each frame.
  ///   - output: The boxes of a tracker, for the same number of frames.
  /// - Throws: `EvaluationError` if the numbers of frames differ, an identity occurs twice in a frame, or there are too
  ///   many identities.
  package init(truth: [[IdentifiedBox]], output: [[IdentifiedBox]]) throws(EvaluationError) {
    guard truth.count == output.count else {
      throw EvaluationError(
        "the truth has \(truth.count) frames and the output \(output.count); both must have the same")
    }
    var truthIndices = IdentityIndices("truth")
    var outputIndices = IdentityIndices("output")
    var frames: [Frame] = []
    for (number, (expected, found)) in zip(truth, output).enumerated() {
      let rows = try truthIndices.indices(of: expected, frame: number)
      let columns = try outputIndices.indices(of: found, frame: number)
      let overlaps = expected.flatMap { box in found.map { box.box.intersectionOverUnion(with: $0.box) } }
      frames.append(Frame(truth: rows, output: columns, overlaps: overlaps))
    }
    self.frames = frames
    truthLengths = truthIndices.lengths
    outputLengths = outputIndices.lengths
    truthIdentities = truthLengths.count
    outputIdentities = outputLengths.count
    truthBoxes = truthLengths.reduce(0, +)
    outputBoxes = outputLengths.reduce(0, +)
    guard !truthIdentities.multipliedReportingOverflow(by: outputIdentities).overflow,
      truthIdentities * outputIdentities <= Self.maxPairs
    else {
      throw EvaluationError(
        "\(truthIdentities) identities in the truth and \(outputIdentities) in the output make more pairs than \(Self.maxPairs); evaluate shorter sequences"
      )
    }
  }

  private struct IdentityIndices {
    private let what: String
    private var indexOfIdentity: [Int: Int] = [:]
    private(set) var lengths: [Int] = []

    init(_ what: String) { self.what = what }

    mutating func indices(of boxes: [IdentifiedBox], frame: Int) throws(EvaluationError) -> [Int] {
      var result: [Int] = []
      for box in boxes {
        let index = indexOfIdentity[box.identity] ?? lengths.count
        if index == lengths.count {
          indexOfIdentity[box.identity] = index
          lengths.append(0)
        }
        guard !result.contains(index) else {
          throw EvaluationError(
            "identity \(box.identity) is twice in frame \(frame + 1) of the \(what); a frame has an identity once")
        }
        lengths[index] += 1
        result.append(index)
      }
      return result
    }
  }
}
