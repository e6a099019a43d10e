// The tasks on videos and live streams, as apps in Objective-C call them. Tools/apple-branches/objective-c checks the
// types.
@import CoreMedia;
@import MediaPipeTasksCommon;
@import MediaPipeTasksVision;
@import UIKit;

@interface CameraTasks : NSObject <MPPObjectDetectorLiveStreamDelegate, MPPFaceDetectorLiveStreamDelegate,
                                   MPPImageSegmenterLiveStreamDelegate, MPPImageEmbedderLiveStreamDelegate>
@property(nonatomic) MPPObjectDetector *objectDetector;
@property(nonatomic) MPPFaceDetector *faceDetector;
@property(nonatomic) MPPImageSegmenter *imageSegmenter;
@property(nonatomic) MPPImageEmbedder *imageEmbedder;
@end

@implementation CameraTasks

- (BOOL)startWithModelPath:(NSString *)modelPath error:(NSError **)error {
  MPPObjectDetectorOptions *objects = [[MPPObjectDetectorOptions alloc] init];
  objects.baseOptions.modelAssetPath = modelPath;
  objects.runningMode = MPPRunningModeLiveStream;
  objects.objectDetectorLiveStreamDelegate = self;
  self.objectDetector = [[MPPObjectDetector alloc] initWithOptions:[objects copy] error:error];

  MPPFaceDetectorOptions *faces = [[MPPFaceDetectorOptions alloc] init];
  faces.runningMode = MPPRunningModeLiveStream;
  faces.faceDetectorLiveStreamDelegate = self;
  self.faceDetector = [[MPPFaceDetector alloc] initWithOptions:faces error:error];

  MPPImageSegmenterOptions *masks = [[MPPImageSegmenterOptions alloc] init];
  masks.runningMode = MPPRunningModeLiveStream;
  masks.imageSegmenterLiveStreamDelegate = self;
  self.imageSegmenter = [[MPPImageSegmenter alloc] initWithOptions:masks error:error];

  MPPImageEmbedderOptions *embeddings = [[MPPImageEmbedderOptions alloc] init];
  embeddings.runningMode = MPPRunningModeLiveStream;
  embeddings.quantize = YES;
  embeddings.imageEmbedderLiveStreamDelegate = self;
  self.imageEmbedder = [[MPPImageEmbedder alloc] initWithOptions:embeddings error:error];
  return self.objectDetector && self.faceDetector && self.imageSegmenter && self.imageEmbedder;
}

- (BOOL)takeSampleBuffer:(CMSampleBufferRef)sampleBuffer atTime:(NSInteger)time error:(NSError **)error {
  MPPImage *image = [[MPPImage alloc] initWithSampleBuffer:sampleBuffer orientation:UIImageOrientationRight error:error];
  return [self.objectDetector detectAsyncImage:image timestampInMilliseconds:time error:error] &&
         [self.faceDetector detectAsyncImage:image timestampInMilliseconds:time error:error] &&
         [self.imageSegmenter segmentAsyncImage:image timestampInMilliseconds:time error:error] &&
         [self.imageEmbedder embedAsyncImage:image timestampInMilliseconds:time error:error];
}

- (NSUInteger)countFacesInFrame:(MPPImage *)frame atTime:(NSInteger)time error:(NSError **)error {
  MPPFaceDetectorResult *faces = [self.faceDetector detectVideoFrame:frame timestampInMilliseconds:time error:error];
  MPPImageSegmenterResult *masks = [self.imageSegmenter segmentVideoFrame:frame timestampInMilliseconds:time error:error];
  return faces.detections.count + masks.confidenceMasks.count;
}

- (void)objectDetector:(MPPObjectDetector *)objectDetector
    didFinishDetectionWithResult:(nullable MPPObjectDetectorResult *)result
         timestampInMilliseconds:(NSInteger)timestampInMilliseconds
                           error:(nullable NSError *)error {
}

- (void)faceDetector:(MPPFaceDetector *)faceDetector
    didFinishDetectionWithResult:(nullable MPPFaceDetectorResult *)result
         timestampInMilliseconds:(NSInteger)timestampInMilliseconds
                           error:(nullable NSError *)error {
}

- (void)imageSegmenter:(MPPImageSegmenter *)imageSegmenter
    didFinishSegmentationWithResult:(nullable MPPImageSegmenterResult *)result
            timestampInMilliseconds:(NSInteger)timestampInMilliseconds
                              error:(nullable NSError *)error {
}

// No method for the image embedder: it is optional.

@end
