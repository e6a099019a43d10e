import SwiftletEngine
import SwiftletTestSupport

@testable import SwiftletVision

extension PassingModel {
  var base: BaseOptions { BaseOptions(model: .bytes(bytes)) }
}

/// The task error a call throws.
func taskError(_ body: () throws -> Void) -> TaskError? { thrownError(body) }

extension ResultBudget {
  /// A budget with the limits of programs that set none.
  static var ofDefaultLimits: ResultBudget { ResultBudget(RuntimeOptions.Limits()) }
}
