import SwiftletEngine
import SwiftletTestSupport

@testable import SwiftletVision

extension PassingModel {
  var base: BaseOptions { BaseOptions(model: .bytes(bytes)) }
}

/// Returns the task error of a call.
func taskError(_ body: () throws -> Void) -> TaskError? { thrownError(body) }

extension ResultBudget {
  /// A budget with the default limits.
  static var ofDefaultLimits: ResultBudget { ResultBudget(RuntimeOptions.Limits()) }
}
