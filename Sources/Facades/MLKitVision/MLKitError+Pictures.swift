import SwiftletImage
import SwiftletVision

extension MLKitError {
  /// Calls `body`, which makes or reads a picture, with its errors as ML Kit's.
  static func reportingImageErrors<Value>(_ body: () throws -> Value) throws(MLKitError) -> Value {
    do {
      return try body()
    } catch let error as ImageError {
      throw .invalidImage(error.message)
    } catch let error as TaskError {
      throw .invalidImage(error.message)
    } catch {
      throw .invalidImage("\(error)")
    }
  }
}
