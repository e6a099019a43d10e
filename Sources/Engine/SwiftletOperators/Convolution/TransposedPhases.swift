/// Phases of a transposed convolution that one product computes: their output positions lie side by side.
///
/// With few output channels a phase fills a small part of a vector of columns. Neighbouring phases see almost the same
/// inputs, so that they become the columns of one product over all of these; what a phase does not see has a weight of
/// zero:
///
///     stride 2, window 4     | phase 0 | phase 1 |
///     input i - 1            |   w3    |    0    |
///     input i                |   w1    |   w2    |
///     input i + 1            |    0    |   w0    |
struct TransposedPhases {
  /// The first output position.
  let first: Int
  /// Output positions of each phase; they are a stride apart.
  let count: Int
  /// The input positions that some phase sees from its first output position.
  let inputs: [Int]
  /// For every phase the filter element that each of the inputs has.
  let elements: [[Int?]]

  init(_ phase: TransposedWindow.Axis.Phase) {
    first = phase.first
    count = phase.count
    inputs = phase.inputs
    elements = [phase.elements]
  }

  /// Phases of the same count whose first output positions follow each other.
  fileprivate init(_ phases: [TransposedWindow.Axis.Phase], first: Int, count: Int, moved: Int) {
    self.first = first
    self.count = count
    let seen = Set(phases.flatMap(\.inputs)).sorted()
    inputs = seen.map { $0 + moved }
    elements = phases.map { phase in
      let elements = Dictionary(zip(phase.inputs, phase.elements)) { first, _ in first }
      return seen.map { elements[$0] }
    }
  }
}

extension TransposedWindow.Axis {
  /// More weights than this are not worth finding zeros among.
  private static let mostMerged = 1 << 16

  /// All output positions as few products: those of whole strides, and those behind the last of these.
  ///
  /// `nil` where columns of the phases alone fill vectors as well.
  ///
  /// - Parameters:
  ///   - columns: output channels.
  ///   - lanes: columns that a product computes at once.
  func merged(_ phases: [Phase], columns: Int, lanes: Int) -> [TransposedPhases]? {
    let seen = phases.reduce(0) { $0 + $1.inputs.count }
    guard phases.count > 1, columns <= lanes, seen > 0, seen <= Self.mostMerged / phases.count else { return nil }
    let inputs = Set(phases.flatMap(\.inputs)).count
    let vectors = (phases.count * columns + lanes - 1) / lanes
    guard inputs * vectors <= seen else { return nil }
    let whole = outputSize / stride, rest = outputSize % stride
    return (whole > 0 ? [TransposedPhases(phases, first: 0, count: whole, moved: 0)] : [])
      + (rest > 0 ? [TransposedPhases(Array(phases[..<rest]), first: whole * stride, count: 1, moved: whole)] : [])
  }
}
