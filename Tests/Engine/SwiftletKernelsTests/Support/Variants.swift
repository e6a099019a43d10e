@testable import SwiftletKernels
import Testing

extension KernelTable: CustomTestStringConvertible {
  /// The name of the variant.
  public var testDescription: String { name }
}

/// Returns every variant that this machine can run with every case: the arguments of most kernel tests.
func variants<Case>(_ cases: [Case]) -> [(KernelTable, Case)] {
  KernelTable.available.flatMap { table in cases.map { (table, $0) } }
}
