// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The parts of UIKit that an app's controllers and views use.
open class CALayer: NSObject {
  open var frame = CGRect.zero
  public func addSublayer(_ layer: CALayer) {}
}

public class UIColor: NSObject, @unchecked Sendable {
  public static let clear = UIColor()
  public static let green = UIColor()
  public func setStroke() {}
}

public class UIBezierPath: NSObject {
  public init(rect: CGRect) {}
  public var lineWidth: CGFloat = 1
  public func stroke() {}
}

@MainActor open class UIView: NSObject {
  open var frame = CGRect.zero
  open var bounds = CGRect.zero
  open var backgroundColor: UIColor?
  open var layer: CALayer { CALayer() }
  open func addSubview(_ view: UIView) {}
  open func setNeedsDisplay() {}
  open func draw(_ rect: CGRect) {}
}

@MainActor open class UIViewController: NSObject {
  open var view: UIView! = UIView()
  open func viewDidLoad() {}
  open func viewWillDisappear(_ animated: Bool) {}
}
