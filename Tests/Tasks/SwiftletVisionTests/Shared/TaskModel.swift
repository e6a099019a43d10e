import SwiftletTestSupport

@testable import SwiftletVision

extension PassingModel {
  var base: BaseOptions { BaseOptions(model: .bytes(bytes)) }
}

/// The task error a call throws.
func taskError(_ body: () throws -> Void) -> TaskError? { thrownError(body) }
