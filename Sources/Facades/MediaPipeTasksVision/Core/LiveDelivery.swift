import Foundation
import SwiftletVision

extension VisionTask {
  /// Delivers the results of the live stream to `receiver`, one after the other, until `receiver` is gone.
  ///
  /// - Parameters:
  ///   - queue: A serial queue; `nil` for the task's own.
  ///   - tell: gets the receiver and either a result with its time or an error with MediaPipe's mark for no time, the
  ///     least integer.
  func tell<Receiver: AnyObject & Sendable>(
    _ receiver: Receiver, on queue: DispatchQueue?,
    _ tell: @escaping @Sendable (Receiver, Output?, _ timestampInMilliseconds: Int, (any Error)?) -> Void
  ) {
    setLiveHandler { [weak receiver] outcome, timestamp in
      let deliver: @Sendable () -> Void = { [weak receiver] in
        guard let receiver else { return }
        switch outcome {
        case .success(let output): tell(receiver, output, timestamp.inMilliseconds, nil)
        case .failure(let error): tell(receiver, nil, Int.min, NSError.tasks(error))
        }
      }
      if let queue { queue.async(execute: deliver) } else { deliver() }
    }
  }
}
