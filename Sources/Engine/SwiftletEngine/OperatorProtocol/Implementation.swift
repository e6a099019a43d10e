import SwiftletKernels

/// How a prepared operator computes, as profiles and reports show it: `indirect GEMM int8 3×3, avx512`.
///
/// It is noted while an operator is prepared and put into words only where somebody asks: models of microseconds load
/// in little more.
package struct Implementation: Sendable, CustomStringConvertible {
  /// Whose kernels do the work.
  package enum Kernels: Sendable {
    /// None: a loop of the operator's own.
    case none
    /// Those without instructions beyond the compiler's baseline, whose sums are in the reference's order.
    case portable
    /// Those for the instruction set of this processor.
    case processor
  }

  /// The algorithm by the field's name, with the type it computes with.
  private var algorithm: StaticString
  private var kernels: Kernels
  /// The window that the operator moves over its input, where it has one.
  var window: (height: Int, width: Int)?

  init(_ algorithm: StaticString, _ kernels: Kernels) {
    self.algorithm = algorithm
    self.kernels = kernels
  }

  /// Of operators that note nothing: element by element, in Swift.
  static let loop = Implementation("loop", .none)

  package var description: String {
    var text = "\(algorithm)"
    if let window { text += " \(window.height)×\(window.width)" }
    switch kernels {
    case .none: return text
    case .portable: return text + ", " + KernelTable.portable.name
    case .processor: return text + ", " + KernelTable.current.name
    }
  }
}

extension PrepareContext {
  /// Notes how the node is computed. The first note counts: whoever chooses among algorithms says more than the
  /// algorithms themselves.
  package func uses(_ algorithm: StaticString, _ kernels: Implementation.Kernels = .processor) {
    memory.note(Implementation(algorithm, kernels))
  }

  /// Notes the window that the operator moves over its input.
  package func usesWindow(height: Int, width: Int) { memory.note(window: (height, width)) }
}
