// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stub of Apple's module for other platforms: see ObjectiveC.h.
@_exported public import CoreGraphics
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import FoundationEssentials

extension String: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSString { fatalError("types only") }
  public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { "" }
}

extension Array: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSArray { fatalError("types only") }
  public static func _forceBridgeFromObjectiveC(_ source: NSArray, result: inout [Element]?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSArray, result: inout [Element]?) -> Bool { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSArray?) -> [Element] { [] }
}

extension Dictionary: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSDictionary { fatalError("types only") }
  public static func _forceBridgeFromObjectiveC(_ source: NSDictionary, result: inout [Key: Value]?) {}
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSDictionary, result: inout [Key: Value]?
  ) -> Bool { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDictionary?) -> [Key: Value] { [:] }
}

extension String {
  public init(format: String, _ arguments: any CVarArg...) { self = "" }
}

extension NSError: Error {
  public convenience init(domain: String, code: Int, userInfo: [String: Any]? = nil) { self.init() }
}

public let NSLocalizedDescriptionKey = "NSLocalizedDescription"

extension Error {
  public var localizedDescription: String { "" }
}

extension NSNumber {
  public convenience init(value: Float) { self.init(float: value) }
  public convenience init(value: Double) { self.init(double: value) }
  public convenience init(value: Int8) { self.init(char: value) }
  public var int8Value: Int8 { charValue }
}

extension NSLocking {
  public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}

public protocol NSLocking: AnyObject {}
public final class NSLock: NSObject, NSLocking, @unchecked Sendable {}
public final class NSCondition: NSObject, NSLocking, @unchecked Sendable {}
public final class OperationQueue: NSObject, @unchecked Sendable {}
public protocol CustomNSError: Error {}

extension CGPoint: @retroactive Hashable {
  public static func == (first: CGPoint, second: CGPoint) -> Bool { first.x == second.x && first.y == second.y }
  public func hash(into hasher: inout Hasher) { hasher.combine(x) }
}

extension CGRect: @retroactive Hashable {
  public static var zero: CGRect { CGRect() }
  public init(x: Double, y: Double, width: Double, height: Double) { self.init() }
  public static func == (first: CGRect, second: CGRect) -> Bool { first.origin == second.origin }
  public func hash(into hasher: inout Hasher) { hasher.combine(origin) }
}
